// What orval generates: a fetch client in one file, with the address that the document names.
module.exports = {
  api: {
    input: 'dist/openapi.json',
    output: {
      target: 'dist/clients/orval.ts',
      client: 'fetch',
      mode: 'single',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
}
