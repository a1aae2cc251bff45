// Owns what changes where there is little room: by the width of the console itself, not of the page.
import { css } from './css.ts'

export const narrow = css`
  @container console (width < 1180px) {
    .top .address,
    .readout .button {
      display: none;
    }
  }
  @container console (width < 900px) {
    .frame {
      display: flex;
      flex-direction: column;
    }
    main {
      flex: 1;
    }
    .frame > nav {
      flex: none;
      border-inline-end: 0;
    }
    .tabs.nav {
      flex-direction: row;
      gap: 4px;
      padding: 8px 12px;
      border-bottom: 1px solid var(--line);
      background: var(--surface);
      overflow-x: auto;
      scrollbar-width: none;
    }
    .tabs.nav button[aria-selected='true'] {
      background: var(--paper);
    }
    main > .panel {
      padding: 16px;
    }
    .entry {
      grid-template-columns: 42px 54px minmax(100px, 1fr) 140px;
    }
    .entry :is(.time, .key) {
      display: none;
    }
    .split.is-open {
      grid-template-columns: minmax(0, 1fr);
    }
    .is-open .list {
      display: none;
    }
    .beside {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto minmax(0, 1fr);
      gap: 12px;
    }
    .picks {
      display: flex;
      gap: 4px;
    }
    .picks button {
      white-space: nowrap;
    }
    .faults {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @container console (width < 560px) {
    .top {
      gap: 8px;
      padding: 8px 12px;
    }
    .top .mock,
    .top .date,
    .scheme-name {
      display: none;
    }
    .top .fixture {
      margin: 0;
      color: inherit;
      font-weight: 600;
    }
    .top h1 {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .entry {
      grid-template-columns: 42px 54px minmax(0, 1fr);
      gap: 8px;
      padding: 0 12px;
    }
    .entry .operation {
      display: none;
    }
    .tabs.row {
      gap: 16px;
    }
    .empty {
      padding: 24px 20px 28px;
    }
    .clock .face {
      padding: 20px;
    }
    .face .display {
      font-size: 36px;
    }
    .rules dl > div {
      grid-template-columns: minmax(0, 1fr);
      gap: 2px;
    }
    .grid :is(th, td) {
      padding-inline: 12px;
    }
    .board {
      grid-auto-columns: minmax(230px, 1fr);
    }
  }
`
