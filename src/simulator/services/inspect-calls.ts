import { definitions } from '#simulator/machine/publish/definitions.ts'
import { DependencyEdgeType, InspectService } from '#talos/generated/inspect/inspect_pb.ts'
import { served } from './served-method.ts'

/** Which controllers show which resources: those that are shown now. */
export const inspectCalls = served(InspectService, {
  controllerRuntimeDependencies: (_, { machine }) => {
    const edges = new Map<string, Edge>()
    for (const { type, defaultNamespace: namespace } of definitions) {
      for (const { owner } of machine.resources.list(namespace, type)) {
        edges.set(`${owner} ${type}`, {
          controllerName: owner,
          edgeType: DependencyEdgeType.OUTPUT_SHARED,
          resourceNamespace: namespace,
          resourceType: type,
        })
      }
    }
    return {
      messages: [{ edges: [...edges.values()].filter((edge) => edge.controllerName !== '') }],
    }
  },
})

interface Edge {
  controllerName: string
  edgeType: DependencyEdgeType
  resourceNamespace: string
  resourceType: string
}
