import type { Controller } from '#runtime/controller.ts'
import { deploymentOf, type Wanted } from './deployment.ts'
import { metricsPolicy, scrapedEndpoint } from './metrics-objects.ts'
import { rolesFor } from './roles.ts'
import { userRoles } from './user-roles.ts'

/**
 * Everything that an operator in a cluster consists of, and nothing else: no definitions of kinds and no namespace, because whoever
 * deletes these objects would delete with them what users have made.
 */
export const installationOf = (controllers: readonly Controller[], wanted: Wanted) => [
  ...accessOf(controllers, wanted),
  deploymentOf(wanted),
  scrapedEndpoint(wanted.namespace),
  metricsPolicy(wanted.namespace),
]

/** The account and its roles, and those that people may be given, unless there is to be nothing for the whole cluster. */
export const accessOf = (controllers: readonly Controller[], wanted: Wanted) => [
  ...rolesFor(controllers, wanted),
  ...(wanted.namespaces.length === 0 ? userRoles() : []),
]
