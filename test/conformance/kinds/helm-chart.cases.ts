import { inside, type KindCases, type Spec } from './cases.ts'

/** A chart with nothing that could be left out. */
const chart = (changes: Spec = {}): Spec => ({
  chartName: 'metallb',
  repoURL: 'https://metallb.github.io/metallb',
  ...changes,
})

// A null removes a key of the chart's own values; it must arrive as it was written.
const values: Spec = {
  speaker: { enabled: false, tolerations: [{ key: 'a', operator: 'Exists' }, {}], resources: {} },
  'example.com/key': 'no',
  replicas: 3,
  share: 0.25,
  frr: null,
  list: [1, 'two', null, [true]],
}

const everyOption: Spec = {
  disableHooks: true,
  wait: true,
  waitForJobs: true,
  timeout: '1h30m',
  skipCRDs: true,
  options: true,
  disableOpenAPIValidation: true,
  atomic: true,
  dependencyUpdate: true,
  takeOwnership: true,
  enableClientCache: true,
  install: { createNamespace: false, includeCRDs: true },
  upgrade: {
    force: true,
    resetValues: true,
    reuseValues: true,
    resetThenReuseValues: true,
    recreate: true,
    cleanupOnFail: true,
    maxHistory: 3,
  },
  uninstall: { keepHistory: true, description: 'moved to another chart' },
}

const credentials: Spec = { secret: { name: 'registry', namespace: 'default' }, key: 'config.json' }
const tlsConfig: Spec = {
  caSecret: { name: 'ca', namespace: 'default' },
  insecureSkipTLSVerify: false,
}

const table: KindCases = {
  accepted: [
    {
      title: 'a chart and its repository; the namespace has a default',
      spec: chart(),
      becomes: { namespace: 'default' },
    },
    {
      title: 'a chart from a registry, with version, name and namespace',
      spec: chart({
        repoURL: 'oci://registry.example/charts',
        releaseName: 'lb',
        version: '0.14.9',
        namespace: 'metallb-system',
      }),
      becomes: { releaseName: 'lb', version: '0.14.9', namespace: 'metallb-system' },
    },
    {
      title: 'empty options; they have defaults',
      spec: chart({ options: { install: {}, upgrade: {} } }),
      becomes: {
        options: {
          enableClientCache: false,
          install: { createNamespace: true },
          upgrade: { maxHistory: 10 },
        },
      },
    },
    {
      title: 'every option of Helm',
      spec: chart({ options: everyOption }),
      becomes: { options: everyOption },
    },
    {
      title: 'values as an object are kept to the letter',
      spec: chart({ values }),
      becomes: { values },
    },
    {
      title: 'values as text, beside values as an object',
      spec: chart({ valuesTemplate: 'name: {{ .Cluster.metadata.name }}\n', values }),
      becomes: { valuesTemplate: 'name: {{ .Cluster.metadata.name }}\n', values },
    },
    {
      title: 'credentials and a certificate authority of the repository',
      spec: chart({ credentials, tlsConfig }),
      becomes: { credentials, tlsConfig },
    },
    {
      title: 'another chart later on',
      from: chart(),
      spec: chart({ chartName: 'cilium', repoURL: 'https://helm.cilium.io' }),
      becomes: { chartName: 'cilium', repoURL: 'https://helm.cilium.io' },
    },
    {
      title: 'a field that the schema does not know is dropped',
      spec: chart({ valuesFrom: [], options: { verbose: true } }),
      drops: ['valuesFrom', 'options.verbose'],
    },
  ],
  refused: [
    ...[
      { title: 'no name of a chart', spec: { repoURL: 'https://a.example' }, at: 'chartName' },
      { title: 'no repository', spec: { chartName: 'metallb' }, at: 'repoURL' },
      {
        title: 'credentials without a key',
        spec: chart({ credentials: { secret: { name: 'registry' } } }),
        at: 'credentials.key',
      },
      {
        title: 'credentials without a Secret',
        spec: chart({ credentials: { key: 'config.json' } }),
        at: 'credentials.secret',
      },
    ].map(({ at, ...attempt }) => ({ ...attempt, at: `spec.${at}`, says: 'Required value' })),
    ...[
      {
        title: 'a timeout as a number of seconds',
        changes: { options: { timeout: 300 } },
        at: 'options.timeout',
        type: 'string',
      },
      { title: 'values as text', changes: { values: 'a: b' }, at: 'values', type: 'object' },
      { title: 'values as a list', changes: { values: ['a=b'] }, at: 'values', type: 'object' },
      {
        title: 'a template as an object',
        changes: { valuesTemplate: { a: 'b' } },
        at: 'valuesTemplate',
        type: 'string',
      },
      { title: 'a version as a number', changes: { version: 1.2 }, at: 'version', type: 'string' },
      {
        title: 'a switch as text',
        changes: { options: { wait: 'yes' } },
        at: 'options.wait',
        type: 'boolean',
      },
      {
        title: 'a length of the history as text',
        changes: { options: { upgrade: { maxHistory: '3' } } },
        at: 'options.upgrade.maxHistory',
        type: 'integer',
      },
    ].map(({ title, changes, at, type }) => ({
      title,
      spec: chart(changes),
      at: `spec.${at}`,
      says: `must be of type ${type}`,
    })),
  ],
}

/** What holds for the chart of an add-on and of a release. */
export const helmChartCases = (around: Spec = {}): KindCases => inside(['helmSpec'], table, around)
