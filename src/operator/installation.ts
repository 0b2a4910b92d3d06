import type { Controller } from '#runtime/controller.ts'
import { deploymentOf, type Wanted } from './deployment.ts'
import { metricsPolicy, scrapedEndpoint } from './metrics-objects.ts'
import { rolesFor } from './roles.ts'

/**
 * Everything that an operator in a cluster consists of, and nothing else: no definitions of kinds and no namespace, because whoever
 * deletes these objects would delete with them what users have made.
 */
export const installationOf = (controllers: readonly Controller[], wanted: Wanted) => [
  ...rolesFor(controllers, wanted),
  deploymentOf(wanted),
  scrapedEndpoint(wanted.namespace),
  metricsPolicy(wanted.namespace),
]
