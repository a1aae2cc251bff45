// The types of columns and custom fields.

/** Types of values that clients write, the same for columns and custom fields. */
export const valueTypes = [
  'text',
  'longtext',
  'email',
  'phone',
  'link',
  'number',
  'currency',
  'slider',
  'checkbox',
  'date',
  'dropdown',
  'tags',
  'people',
] as const
