// The types of columns and custom fields.

export const textTypes = ['text', 'longtext', 'email', 'phone', 'link'] as const
export const numberTypes = ['number', 'currency', 'slider'] as const
/** Values are Unix seconds. */
export const momentTypes = ['date', 'created_at', 'updated_at'] as const

/** The value types clients can write, for columns and custom fields alike. */
export const valueTypes = [
  ...textTypes,
  ...numberTypes,
  'checkbox',
  'date',
  'dropdown',
  'tags',
  'people',
] as const

const isOneOf =
  (types: readonly string[]) =>
  (type: string): boolean =>
    types.includes(type)

export const isTextType = isOneOf(textTypes)
export const isNumberType = isOneOf(numberTypes)
export const isMomentType = isOneOf(momentTypes)
