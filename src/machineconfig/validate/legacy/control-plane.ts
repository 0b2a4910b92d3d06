import { quote } from '#machineconfig/quote.ts'
import {
  keysAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'

const AUTHORIZERS = ['Node', 'RBAC', 'Webhook']
const RESOURCES = ['cpu', 'memory']

/** What is wrong with the settings of the three components of the control plane: at most one thing each. */
export function* controlPlaneProblems(cluster: Section): Generator<string> {
  const apiServer = apiServerProblem(sectionAt(cluster, 'apiServer'))
  if (apiServer) yield apiServer
  for (const [key, name] of [
    ['controllerManager', 'controller-manager'],
    ['scheduler', 'scheduler'],
  ] as const) {
    const problem = resourceProblem(sectionAt(cluster, key))
    if (problem) yield `${name} resource validation failed: ${problem}`
  }
}

function apiServerProblem(apiServer: Section): string | undefined {
  const clash = flagProblem(apiServer)
  if (clash) return clash
  for (const authorizer of sectionsAt(apiServer, 'authorizationConfig')) {
    const problem = authorizerProblem(authorizer)
    if (problem) return `apiserver authorization config validation failed: ${problem}`
  }
  const problem = resourceProblem(apiServer)
  return problem && `apiserver resource validation failed: ${problem}`
}

function flagProblem(apiServer: Section): string | undefined {
  if (valueAt(apiServer, 'authorizationConfig') === undefined) return undefined
  const flags = keysAt(apiServer, 'extraArgs')
  if (flags.includes('authorization-mode')) {
    return 'authorization-mode cannot be used in conjunction with AuthorizationConfig, use eitherr AuthorizationConfig or authorization-mode'
  }
  return flags.some((flag) => flag.startsWith('authorization-webhook-'))
    ? 'authorization-webhook-* flags cannot be used in conjunction with AuthorizationConfig, use either AuthorizationConfig or authorization-webhook-* flags'
    : undefined
}

function authorizerProblem(authorizer: Section): string | undefined {
  const type = textAt(authorizer, 'type')
  if (type === '') return 'authorizer type must be set'
  if (textAt(authorizer, 'name') === '') return 'authorizer name must be set'
  return AUTHORIZERS.includes(type)
    ? undefined
    : `authorizer type ${type} is not allowed, allowed types are [${AUTHORIZERS.join(' ')}]`
}

function resourceProblem(component: Section): string | undefined {
  const resources = sectionAt(component, 'resources')
  const names = [...keysAt(resources, 'requests'), ...keysAt(resources, 'limits')]
  const odd = names.find((name) => !RESOURCES.includes(name))
  return odd === undefined ? undefined : `unsupported pod resource ${quote(odd)}`
}
