// Type-aware lint: the layers of the source, a deterministic core, no floating promises.
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import importX from 'eslint-plugin-import-x'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** The folders that handle a request, in order; each imports only earlier ones. */
const requests = ['mock/requests', 'mock/journal', 'mock/hints', 'mock/faults', 'mock/sandboxes']
/** Folders that read a mock's journal on demand. */
const readings = ['mock/copies', 'mock/explain']
const service = ['service/store', 'service/rows', 'service/resources']
/** The folders that each folder below the mock may import, in addition to itself. */
const below = {
  contract: [],
  'service/store': ['contract'],
  'service/rows': ['contract', 'service/store'],
  'service/resources': ['contract', 'service/store', 'service/rows'],
  'service/fixture': ['contract', ...service],
  'mock/requests': ['contract', ...service],
  'mock/journal': ['contract', ...service, 'mock/requests'],
  'mock/hints': ['contract', ...service, 'mock/requests'],
  'mock/faults': ['contract', ...service, 'mock/requests', 'mock/hints'],
  'mock/sandboxes': ['contract', ...service, 'mock/requests', 'mock/journal', 'mock/hints', 'mock/faults'],
  'mock/report': ['contract', 'service/store', 'service/rows', ...requests],
  'mock/copies': ['contract', 'service/store', ...requests],
  'mock/explain': ['contract', 'service/store', 'service/resources', ...requests],
  'mock/controls': ['contract', ...service, 'service/fixture', ...requests, 'mock/report', ...readings],
  'adapters/msw': ['contract', 'service/store', ...requests],
}
/** What adapters and tools may import. The command line may import everything. */
const above = {
  // Reaches a mock's internals through `mock/internals.ts`, and reads them with the service's functions.
  'adapters/control-api': [
    'contract',
    ...service,
    'service/fixture',
    ...requests,
    'mock/controls',
    ...readings,
  ],
  // HTML with the console; a saved run also contains the mock.
  'adapters/page': ['contract', ...requests],
  'adapters/server': [
    'contract',
    ...requests,
    'service/fixture',
    'mock/controls',
    'mock/copies',
    'adapters/control-api',
    'adapters/page',
  ],
  'adapters/browser': ['contract', 'service/store', ...requests, 'mock/controls', 'adapters/msw'],
  'adapters/vitest': [
    'contract',
    ...requests,
    'mock/report',
    'mock/controls',
    'mock/explain',
    'adapters/msw',
    'adapters/page',
    'adapters/server',
  ],
  'tools/compare': ['contract', 'service/store'],
  'tools/coverage': ['contract', ...requests, 'adapters/control-api', 'adapters/server'],
  'tools/mcp': ['contract', ...requests, 'adapters/control-api', 'tools/coverage', 'tools/openapi'],
  // Uses a mock only through `mock/explorable.ts`.
  'tools/explore': ['contract', 'tools/compare'],
  'tools/verify': [
    'contract',
    'service/store',
    'service/fixture',
    'mock/requests',
    'mock/journal',
    'tools/compare',
    'tools/deployment',
    'tools/pull',
  ],
  'tools/deployment': ['contract'],
  'tools/pull': ['contract', 'service/fixture', 'mock/requests', 'tools/deployment'],
  'tools/openapi': ['contract'],
  'tools/console': [
    'contract',
    'service/store',
    ...requests,
    'mock/report',
    'mock/controls',
    'mock/explain',
    'adapters/control-api',
    'tools/coverage',
    'tools/explore',
    'tools/openapi',
  ],
}
const rooms = { ...below, ...above }
const all = [...Object.keys(rooms), 'tools/cli']
const zones = [
  ...Object.entries(rooms).flatMap(([room, allowed]) =>
    all
      .filter((other) => other !== room && !allowed.includes(other))
      .map((other) => ({ target: `./src/${room}`, from: `./src/${other}` })),
  ),
  ...Object.keys(below).flatMap((room) => [
    { target: `./src/${room}`, from: './src/*.ts' },
    { target: `./src/${room}`, from: './fixtures', except: ['./types.ts'] },
  ]),
  // A mock needs no tools except `explore`, loaded on first use. The main entry exports the types of its findings.
  ...[...Object.keys(above), 'tools/cli']
    .filter((room) => room !== 'tools/explore' && room !== 'tools/compare')
    .map((from) => ({ target: './src/{mock,mock-options}.ts', from: `./src/${from}` })),
]

const wallClock = [
  { object: 'Date', property: 'now', message: 'Use the clock of the store.' },
  { object: 'performance', property: 'now', message: 'Use the clock of the store.' },
  { object: 'Math', property: 'random', message: 'The core is deterministic.' },
  { object: 'crypto', property: 'randomUUID', message: 'Take ids from the counters of the store.' },
]
const timers = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => ({
  name,
  message: 'The core has no timers: schedule on the clock of the store instead.',
}))

export default defineConfig(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      'test/examples/',
      'test/openapi/clients/',
      'test/foreign/tools/',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['.config/*.js'] },
        tsconfigRootDir: `${import.meta.dirname}/..`,
      },
    },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreVoidOperator: true, ignoreArrowShorthand: true },
      ],
      // A guard that names each case reads better than one optional chain.
      '@typescript-eslint/prefer-optional-chain': 'off',
      // Interfaces declare methods, but the objects are made of closures, which are safe to pass around.
      '@typescript-eslint/unbound-method': 'off',
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'no-restricted-syntax': ['error', { selector: 'TSEnumDeclaration', message: 'No enums: use a union.' }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: { 'import-x/no-restricted-paths': ['error', { zones, basePath: `${import.meta.dirname}/..` }] },
  },
  {
    files: ['src/*.ts', 'src/{contract,service,mock,adapters/msw,tools/compare}/**/*.ts', 'fixtures/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...wallClock],
      'no-restricted-globals': ['error', ...timers],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'No enums: use a union.' },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Use the clock of the store.',
        },
        {
          selector: "CallExpression[callee.name='Function'], NewExpression[callee.name='Function']",
          message: 'Do not build code from strings.',
        },
      ],
      'no-eval': 'error',
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^node:', message: 'The core runs in browsers.' }] },
      ],
    },
  },
  {
    files: ['src/tools/{deployment,explore,pull,verify}/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^node:', message: 'This code also runs without Node.' }] },
      ],
    },
  },
  {
    files: ['src/contract/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!\\.|zod/mini$)', message: 'The contract may import only zod.' }] },
      ],
    },
  },
  { files: ['.config/**', '**/*.config.ts'], rules: { 'import-x/no-default-export': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // These files also run against the packed package.
    files: ['test/behaviour/**/*.ts', 'test/targets/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/src/(?!(?:index|node|browser|openapi)\\.ts$)',
              message: 'The behaviour suite may use only the public API.',
            },
          ],
        },
      ],
    },
  },
  {
    // The usual type-equality check breaks these rules.
    files: ['test/package/support/consumer*.ts'],
    rules: {
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
)
