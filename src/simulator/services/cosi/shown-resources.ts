import type { Machine } from '#simulator/machine/machine.ts'
import type { MachineResource } from '#simulator/resources/resource-store.ts'
import { configResources } from './config-resources.ts'
import { namespaceResources } from './namespaces.ts'

/** All resources of a type that a machine shows: those that it holds, and those that follow from what it is. */
export const shownResources = (
  namespace: string,
  type: string,
  machine: Machine,
): readonly MachineResource[] =>
  namespaceResources(namespace, type) ??
  configResources(namespace, type, machine) ??
  machine.resources.list(namespace, type)
