import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { endpointProblem } from '#machineconfig/validate/checks/endpoint.ts'
import {
  keysAt,
  type Section,
  sectionAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import type { RulesByKind } from './kind-rules.ts'
import { subnetErrors } from './subnets.ts'

const AUTHORIZERS = ['Node', 'RBAC', 'Webhook']
const AUTHENTICATION = 'use KubeAuthenticationConfig'
const AUTHORIZATION = 'use KubeAuthorizationConfig'
const DENIED_ARGUMENTS = new Map([
  ['anonymous-auth', AUTHENTICATION],
  ['authentication-config', AUTHENTICATION],
  ['authorization-config', AUTHORIZATION],
  ['authorization-mode', AUTHORIZATION],
  ['authorization-webhook-', AUTHORIZATION],
  ['oidc-', AUTHENTICATION],
])

/** What runs Kubernetes, as v1.14 has it in documents of their own. */
export const kubernetesRules: RulesByKind = {
  KubeAPIServerConfig: { errors: apiServerErrors },
  KubeAdmissionControlConfig: { errors: admissionErrors },
  KubeAuthorizerConfig: { errors: authorizerErrors, warnings: authorizerWarnings },
  KubeClusterConfig: { errors: clusterErrors },
  KubeControllerManagerConfig: {
    errors: (fields) => podErrors(fields, 'kube-controller-manager'),
  },
  KubeEtcdEncryptionConfig: { errors: encryptionErrors },
  KubeFlannelCNIConfig: { errors: flannelErrors },
  KubeNetworkConfig: { errors: subnetErrors },
  KubeProxyConfig: { errors: proxyErrors, warnings: proxyWarnings },
  KubeSchedulerConfig: { errors: (fields) => podErrors(fields, 'scheduler') },
}

const isEmpty = (value: Section): boolean => Object.keys(value ?? {}).length === 0

/** Of what is switched off nothing is demanded. */
const isOff = (fields: ValueMap): boolean => valueAt(fields, 'enabled') === false

function* apiServerErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'image') === '') yield 'kube-apiserver image cannot be empty'
  const args = keysAt(fields, 'extraArgs')
  for (const [prefix, instead] of DENIED_ARGUMENTS) {
    for (const arg of args.filter((one) => one.startsWith(prefix))) {
      yield `kube-apiserver extra argument ${quote(arg)} is not allowed: ${instead}`
    }
  }
  yield* resourceErrors(fields)
}

function* podErrors(fields: ValueMap, what: string): Iterable<string> {
  if (isOff(fields)) return
  if (textAt(fields, 'image') === '') yield `${what} image cannot be empty`
  yield* resourceErrors(fields)
}

function* proxyErrors(fields: ValueMap): Iterable<string> {
  if (isOff(fields)) return
  if (textAt(fields, 'image') === '') yield 'proxy image cannot be empty'
  const mode = textAt(fields, 'mode')
  if (!['', 'nftables', 'iptables', 'ipvs'].includes(mode)) {
    yield `invalid proxy mode ${quote(mode)}: supported modes are iptables, ipvs and nftables`
  }
  yield* resourceErrors(fields)
}

function* proxyWarnings(fields: ValueMap): Iterable<string> {
  if (isOff(fields)) return
  const mode = textAt(fields, 'mode')
  if (mode === 'iptables' || mode === 'ipvs') {
    yield `proxy mode ${quote(mode)} is not recommended, please switch to nftables if possible`
  }
  if (!isEmpty(sectionAt(fields, 'extraArgs'))) {
    yield 'extra arguments for kube-proxy may not work as expected, please use configuration instead'
  }
}

/** The first resource that is none, of what is asked for and then of the limits. */
function* resourceErrors(fields: ValueMap): Iterable<string> {
  const resources = sectionAt(fields, 'resources')
  const names = [...keysAt(resources, 'requests'), ...keysAt(resources, 'limits')]
  const odd = names.find((name) => name !== 'cpu' && name !== 'memory')
  if (odd !== undefined) yield `unsupported pod resource ${quote(odd)}`
}

function* admissionErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'admission control plugin name is required'
}

function* authorizerErrors(fields: ValueMap): Iterable<string> {
  const type = textAt(fields, 'type')
  if (textAt(fields, 'name') === '') yield 'authorizer name is required'
  if (type === '') yield 'authorizer type is required'
  if (!AUTHORIZERS.includes(type)) {
    yield `authorizer type ${type} is not allowed, allowed types are [${AUTHORIZERS.join(' ')}]`
  }
  if (type === 'Webhook' && isEmpty(sectionAt(fields, 'webhook'))) {
    yield 'authorizer webhook configuration is required for Webhook authorizer type'
  }
}

function* authorizerWarnings(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'type') !== 'Webhook' && !isEmpty(sectionAt(fields, 'webhook'))) {
    yield 'authorizer webhook configuration is not allowed non-Webhook authorizer types'
  }
}

function* clusterErrors(fields: ValueMap): Iterable<string> {
  const endpoint = textAt(fields, 'endpoint')
  if (textAt(fields, 'clusterName') === '') yield 'clusterName must be specified'
  const problem = endpoint === '' ? undefined : endpointProblem(endpoint)
  if (endpoint === '') yield 'endpoint must be specified'
  else if (problem !== undefined) yield `cluster endpoint is invalid: ${problem}`
}

function* encryptionErrors(fields: ValueMap): Iterable<string> {
  if (isEmpty(sectionAt(fields, 'config'))) yield 'etcd encryption config is required'
}

function* flannelErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'backendType') === '') yield 'flannel backend type must be specified'
  yield* resourceErrors(fields)
}
