// Owns how the journal, a request of it, and the report look.
import { css } from './css.ts'

export const journal = css`
  .journal {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .split {
    flex: 1;
    display: grid;
    gap: 16px;
    min-height: 0;
  }
  .split.is-open {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  }
  .list,
  .detail {
    min-height: 0;
    overflow: auto;
  }
  .entry {
    display: grid;
    grid-template-columns: 42px 98px 54px minmax(120px, 1fr) 172px 88px;
    gap: 12px;
    align-items: center;
    width: 100%;
    height: 34px;
    padding: 0 16px;
    border: 0;
    border-bottom: 1px solid var(--line);
    background: none;
    color: inherit;
    font: inherit;
    text-align: start;
  }
  button.entry {
    cursor: pointer;
  }
  button.entry:hover {
    background: var(--hover);
  }
  button.entry:focus-visible {
    outline-offset: -2px;
  }
  button.entry[aria-expanded='true'] {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 var(--accent);
  }
  .entry.head {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    background: var(--surface);
    color: var(--ink-faint);
    font-size: var(--small);
  }
  .entry > * {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .entry .time,
  .entry .method,
  .entry .path {
    font-family: var(--mono);
    font-size: 12.5px;
  }
  .entry .time,
  .entry .operation,
  .entry .key {
    color: var(--ink-soft);
  }
  .entry.head .time,
  .entry.head .operation,
  .entry.head .key {
    color: inherit;
    font: inherit;
  }
  .entry .query {
    color: var(--ink-faint);
  }
  .is-open .entry {
    grid-template-columns: 42px 98px 54px minmax(120px, 1fr);
  }
  .is-open .entry :is(.operation, .key) {
    display: none;
  }
  .foot {
    padding: 10px 16px;
    color: var(--ink-faint);
    font-size: var(--small);
  }

  .detail {
    padding: 0 20px 24px;
  }
  .detail > header {
    position: sticky;
    inset-block-start: 0;
    display: flex;
    align-items: flex-start;
    gap: 10px;
    margin: 0 -20px;
    padding: 14px 12px 10px 20px;
    background: var(--surface);
  }
  .detail > header h3 {
    flex: 1;
    min-width: 0;
    font: 500 var(--text) / 20px var(--mono);
    letter-spacing: 0;
    overflow-wrap: anywhere;
  }
  .detail > header .method {
    color: var(--ink-faint);
  }
  .detail > header .button {
    min-height: 24px;
    margin-top: -2px;
  }
  .actions {
    display: flex;
    gap: 6px;
    margin-bottom: 16px;
  }
  .block {
    margin-top: 20px;
  }
  .block h4 {
    margin-bottom: 6px;
  }
  .block details {
    margin-top: 10px;
  }
  .none {
    color: var(--ink-faint);
  }
  .changes {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .notes,
  .hint-note {
    display: flow-root;
    margin-bottom: 16px;
    padding: 10px 14px;
    border-radius: var(--radius-small);
    background: var(--sunken);
  }
  .notes p + p {
    margin-top: 8px;
  }
  .pairs > div {
    display: grid;
    grid-template-columns: minmax(88px, 148px) minmax(0, 1fr);
    gap: 12px;
    padding: 2px 0;
  }
  .pairs dt {
    color: var(--ink-faint);
    overflow-wrap: anywhere;
  }
  .pairs dd {
    overflow-wrap: anywhere;
  }
  .json {
    max-height: 460px;
    padding: 12px 14px;
    border-radius: var(--radius-small);
    background: var(--sunken);
    font-size: 12.5px;
    line-height: 1.6;
    overflow: auto;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .json .name {
    color: var(--ink);
  }
  .json .string {
    color: var(--good);
  }
  .json .literal {
    color: var(--accent);
  }

  .findings {
    display: grid;
    gap: 12px;
  }
  .finding {
    padding: 16px 20px;
  }
  .finding header,
  .finding footer {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
  }
  .finding .operation {
    color: var(--ink-soft);
  }
  .finding .times {
    margin-inline-start: auto;
    color: var(--ink-faint);
  }
  .finding .message {
    max-width: 76ch;
    margin: 10px 0 6px;
  }
  .finding .advice {
    max-width: 76ch;
    margin-bottom: 14px;
    color: var(--ink-soft);
  }
  .finding .advice strong {
    margin-inline-end: 6px;
    color: var(--ink);
    font-weight: 600;
  }
  .finding .requests {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .finding .source {
    margin-inline-start: auto;
    color: var(--ink-faint);
    font-size: var(--small);
  }
  .rules {
    margin-top: 24px;
  }
  .rules dl > div {
    display: grid;
    grid-template-columns: 176px minmax(0, 1fr);
    gap: 12px;
    padding: 6px 0;
  }
  .rules dl {
    margin-top: 8px;
  }
`
