import { definitionFor } from '#simulator/machine/publish/definitions.ts'
import { Refusal } from '#simulator/refusal.ts'
import { notAuthorized } from '#simulator/services/allow-call.ts'
import type { Call } from '#simulator/services/call.ts'
import { minorOf } from '#simulator/services/minor-of.ts'
import { isNamespace } from './namespaces.ts'

/** Refuses to show a type of resources that there is not, or that the caller may not see. */
export function allowRead(namespace: string, type: string, { machine, roles }: Call): void {
  const definition = definitionFor(type, minorOf(machine))
  if (!definition) {
    throw new Refusal('PermissionDenied', `resource type ${JSON.stringify(type)} is not supported`)
  }
  if (definition.isSensitive && !roles.has('os:admin')) throw notAuthorized()
  if (!isNamespace(namespace)) {
    throw new Refusal('PermissionDenied', `namespace ${JSON.stringify(namespace)} is not supported`)
  }
}
