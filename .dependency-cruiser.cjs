// One line per folder: what it may import. Read it as the architecture. Held by
// test/repo/architecture.test.ts, which also compares it with the table in ARCHITECTURE.md.
const ports = [
  'base',
  'api',
  'machineconfig',
  'kube',
  'talos',
  'engine',
  'helm',
  'snapshots',
  'providers',
  'runtime',
]
const mayImport = {
  base: [],
  api: ['base'],
  machineconfig: ['base', 'api'],
  kube: ['base', 'api'],
  talos: ['base'],
  engine: ['base', 'api', 'machineconfig', 'kube', 'talos', 'runtime'],
  helm: ['base', 'kube'],
  snapshots: ['base'],
  providers: ['base', 'api', 'kube', 'talos'],
  runtime: ['base', 'api', 'kube'],
  controllers: ports,
  apiserver: ['base', 'api', 'kube'],
  simulator: ['base', 'api', 'kube', 'talos', 'machineconfig', 'apiserver'],
  web: ['base', 'api', 'kube'],
  operator: [...ports, 'controllers', 'apiserver', 'web'],
  cli: [...ports, 'controllers', 'apiserver', 'simulator', 'web', 'operator'],
}

// Third-party libraries and the folders they are kept in. typebox is how data from outside becomes
// typed, so it is allowed everywhere. A library that is not named here may not be imported at all.
const keptIn = {
  '@bufbuild': ['talos', 'simulator'],
  '@grpc': ['talos', 'simulator'],
  '@opentelemetry': ['runtime'],
  commander: ['cli'],
  lmdb: ['apiserver'],
  pino: ['runtime'],
  'prom-client': ['runtime'],
  typebox: ['.*'],
  yaml: ['base'],
}

const layers = Object.entries(mayImport).map(([from, to]) => ({
  name: `${from} may import only ${to.join(', ') || 'itself'}`,
  severity: 'error',
  from: { path: `^src/${from}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[from, ...to].join('|')})/` },
}))

const libraries = Object.entries(keptIn).map(([library, folders]) => ({
  name: `${library} is kept in ${folders.join(', ')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: [`^src/(${folders.join('|')})/`, '\\.test\\.ts$'] },
  to: { path: `node_modules/${library}/` },
}))

module.exports = {
  mayImport,
  forbidden: [
    ...layers,
    ...libraries,
    {
      name: 'every third-party library has a home',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/', pathNot: `node_modules/(${Object.keys(keptIn).join('|')})/` },
    },
    {
      name: 'src stands alone',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/', 'node_modules/', '^package\\.json$'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'a test beside the sources imports sources, test/ and libraries',
      severity: 'error',
      from: { path: '^src/.*\\.test\\.ts$' },
      to: {
        pathNot: ['^src/', '^test/', 'node_modules/', '^package\\.json$'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'nothing imports what cannot be found',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'controllers are strangers',
      severity: 'error',
      from: { path: '^src/controllers/([^/]+)/' },
      to: { path: '^src/controllers/[^/]+/', pathNot: '^src/controllers/$1/' },
    },
    {
      name: 'plans are pure',
      severity: 'error',
      from: { path: '(/plan|/rules/[^/]+)\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'plans do not reach for the outside',
      severity: 'error',
      from: { path: '(/plan|/rules/[^/]+)\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(kube|talos|helm|snapshots|providers)/' },
    },
    {
      name: 'only the demo and simulate commands know the simulator',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/simulator/', '^src/cli/(demo|simulate)', '\\.test\\.ts$'],
      },
      to: { path: '^src/simulator/' },
    },
    {
      name: 'nothing imports tests',
      severity: 'error',
      from: { path: '^(src|scripts)/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^test/', '\\.test\\.ts$'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
}
