// Buttons, and lists of them of which one is pressed.
import type { ButtonHTMLAttributes, ComponentChildren, RenderableProps } from 'preact'

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'kind' | 'label' | 'onClick'> {
  /** Default: submits the form of the button. */
  readonly onClick?: () => unknown
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined
  readonly label?: string | undefined
}

/** A `class` replaces those of a framed button. */
export function Button({ onClick, kind = 'plain', label, ...others }: ButtonProps) {
  return (
    <button
      class={`button ${kind}`}
      {...others}
      type={onClick ? 'button' : 'submit'}
      aria-label={label}
      onClick={onClick && (() => void onClick())}
    />
  )
}

interface ListButtonProps {
  readonly name: string
  readonly isCurrent: boolean
  readonly onClick: () => unknown
}

/** One of several buttons of which one is pressed, with details after its name. */
export function ListButton({ name, isCurrent, onClick, children }: RenderableProps<ListButtonProps>) {
  return (
    <Button class="pick" aria-pressed={isCurrent} onClick={onClick}>
      <span class="name">{name}</span>
      {children}
    </Button>
  )
}

interface PickListProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  readonly current: Item
  readonly onChange: (id: string) => unknown
  /** What follows the name of an item. */
  readonly details: (item: Item) => ComponentChildren
}

/** A list of buttons; its children are about the current one, next to it. */
export function PickList<Item extends { readonly id: string; readonly name: string }>(
  props: RenderableProps<PickListProps<Item>>,
) {
  const { label, items, current, onChange, details, children } = props
  return (
    <div class="with-list">
      <ul class="picks" aria-label={label}>
        {items.map((item) => (
          <li key={item.id}>
            <ListButton name={item.name} isCurrent={item.id === current.id} onClick={() => onChange(item.id)}>
              {details(item)}
            </ListButton>
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
