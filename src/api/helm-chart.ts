// What an add-on and its releases share: which chart, with which values and options.

import { flag, freeForm, integer, object, optional, text } from './schema.ts'
import { secretReference } from './shapes.ts'

const installOptions = object('Options of `helm install`.', {
  createNamespace: flag('Create the namespace if it is not there.', { default: true }),
  includeCRDs: optional(flag('Render the chart’s CRDs along with its templates.')),
})

const upgradeOptions = object('Options of `helm upgrade`.', {
  force: optional(flag('Replace resources that cannot be updated in place.')),
  resetValues: optional(flag('Start from the chart’s own values.')),
  reuseValues: optional(flag('Start from the values of the last release.')),
  resetThenReuseValues: optional(
    flag('Start from the chart’s own values, then those of the last release.'),
  ),
  recreate: optional(flag('Restart the pods of the release, where Helm still can.')),
  cleanupOnFail: optional(flag('Delete what a failed upgrade had created.')),
  maxHistory: integer('How many revisions Helm keeps.', { default: 10 }),
})

const options = object('How Helm goes about it.', {
  disableHooks: optional(flag('Run no hooks of the chart.')),
  wait: optional(flag('Wait until the release’s resources are ready.')),
  waitForJobs: optional(flag('With `wait`: wait until Jobs are complete, too.')),
  timeout: optional(text('How long an operation may take, for example `5m` or `1h30m`.')),
  skipCRDs: optional(flag('Do not install the CRDs in the chart’s `crds` folder.')),
  options: optional(flag('Print the notes of sub-charts. The name is the published one.')),
  disableOpenAPIValidation: optional(
    flag('Do not check the rendered resources against the cluster’s API.'),
  ),
  atomic: optional(flag('Undo an operation that failed.')),
  dependencyUpdate: optional(flag('Fetch missing dependencies of the chart first.')),
  takeOwnership: optional(flag('Adopt resources that exist but belong to no release.')),
  enableClientCache: flag('Accepted and without effect: there is no such cache here.', {
    default: false,
  }),
  install: optional(installOptions),
  upgrade: optional(upgradeOptions),
  uninstall: optional(
    object('Options of `helm uninstall`.', {
      keepHistory: optional(flag('Keep the record of the release.')),
      description: optional(text('A note that is kept with the uninstalled release.')),
    }),
  ),
})

export const helmSpec = object('The Helm chart to install.', {
  chartName: text('Name of the chart in its repository.'),
  repoURL: text('Repository of the chart: `https://…` or `oci://…`.'),
  releaseName: optional(text('Name of the release. Left out: the name of this object.')),
  namespace: text('Namespace of the release in the target cluster.', { default: 'default' }),
  version: optional(text('Version of the chart. Left out: the newest one.')),
  valuesTemplate: optional(
    text(
      'Values as YAML, with Go templating over the cluster. A single line such as `a.b=c,d=e` is read as `helm --set` would.',
    ),
  ),
  values: optional(
    freeForm('Values as an object; they win over the same keys of `valuesTemplate`.'),
  ),
  options: optional(options),
  credentials: optional(
    object('Credentials of the repository.', {
      secret: secretReference('The Secret that holds them.'),
      key: text('Key of the Secret that holds a registry configuration (Docker’s JSON).'),
    }),
  ),
  tlsConfig: optional(
    object('How the repository’s certificate is judged.', {
      caSecret: optional(secretReference('A Secret with the CA certificate under `ca.crt`.')),
      insecureSkipTLSVerify: optional(flag('Do not verify the repository’s certificate.')),
    }),
  ),
})
