// Type-aware lint: the layers of the source, the purity of the core, and no forgotten promise.
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import importX from 'eslint-plugin-import-x'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** What each layer below the mock may import besides itself. */
const below = {
  contract: [],
  openapi: ['contract'],
  store: ['contract'],
  compare: ['contract', 'store'],
  rows: ['contract', 'store'],
  resources: ['contract', 'store', 'rows'],
  fixture: ['contract', 'store', 'rows', 'resources'],
  core: ['contract', 'store', 'rows', 'resources'],
  'client-report': ['contract', 'store', 'rows', 'core'],
  controls: ['contract', 'store', 'rows', 'resources', 'fixture', 'core'],
  msw: ['contract', 'core'],
  explore: ['contract', 'store', 'compare', 'rows', 'resources', 'core'],
}
/** What those may import that take a mock, besides it; the command line may import everything. */
const above = {
  server: ['contract', 'core', 'fixture', 'controls', 'openapi'],
  browser: ['contract', 'store', 'core', 'controls', 'openapi', 'explore'],
  vitest: ['contract', 'core', 'controls', 'msw', 'explore'],
  verify: ['contract', 'store', 'compare', 'core', 'fixture', 'controls'],
}
const core = Object.keys(below).filter((layer) => layer !== 'explore')
const all = [...Object.keys(below), ...Object.keys(above), 'cli']
const zones = [
  ...Object.entries({ ...below, ...above }).flatMap(([layer, allowed]) =>
    all
      .filter((other) => other !== layer && !allowed.includes(other))
      .map((other) => ({ target: `./src/${layer}`, from: `./src/${other}` })),
  ),
  ...Object.keys(below).flatMap((layer) => [
    { target: `./src/${layer}`, from: './src/*.ts' },
    { target: `./src/${layer}`, from: './fixtures', except: ['./types.ts'] },
  ]),
  ...[...Object.keys(above), 'cli', 'openapi'].map((from) => ({
    target: './src/*.ts',
    from: `./src/${from}`,
  })),
]

const wallClock = [
  { object: 'Date', property: 'now', message: 'Use the clock of the store.' },
  { object: 'performance', property: 'now', message: 'Use the clock of the store.' },
  { object: 'Math', property: 'random', message: 'The core is deterministic.' },
  { object: 'crypto', property: 'randomUUID', message: 'Ids come from the counters of the store.' },
]
const timers = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => ({
  name,
  message: 'The core has no timers: what happens later follows from the clock.',
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
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreVoidOperator: true, ignoreArrowShorthand: true },
      ],
      // A guard that names each thing it refuses reads better than one folded into a chain.
      '@typescript-eslint/prefer-optional-chain': 'off',
      // Interfaces are written with methods, and made as objects of closures that are handed on freely.
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
    files: ['src/*.ts', `src/{${core.join(',')}}/**/*.ts`, 'fixtures/**/*.ts'],
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
          message: 'No code from text.',
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
    files: ['src/{explore,verify}/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^node:', message: 'Its entry is loaded without Node, too.' }] },
      ],
    },
  },
  {
    files: ['src/contract/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!\\.|zod/mini$)', message: 'The contract imports zod only.' }] },
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
    // The same files are played against the packed package.
    files: ['test/behaviour/**/*.ts', 'test/targets/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/src/(?!(?:server/|browser/|openapi/)?index\\.ts$)',
              message: 'The behaviour suite knows the public surface alone.',
            },
          ],
        },
      ],
    },
  },
  {
    // Type equality is written so, whatever it is made of.
    files: ['test/package/support/consumer*.ts'],
    rules: {
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
)
