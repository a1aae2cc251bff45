// A style sheet as text.
declare module '*.css?inline' {
  const text: string
  // eslint-disable-next-line import-x/no-default-export -- as Vite has it
  export default text
}
