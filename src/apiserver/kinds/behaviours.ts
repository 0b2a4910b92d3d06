import { scalerFromV2, scalerToV2 } from '#apiserver/builtin/scaler-conversion.ts'
import { horizontalPodAutoscaler } from './autoscaler.ts'
import { certificateSigningRequest } from './certificate-request.ts'
import { configMap } from './config-map.ts'
import { cronJob } from './cron-job.ts'
import { daemonSet } from './daemon-set.ts'
import { deployment } from './deployment.ts'
import { podDisruptionBudget } from './disruption-budget.ts'
import { endpointSlice, endpoints } from './endpoints.ts'
import { coreEvent, newEvent } from './event.ts'
import { eventConversion } from './event-conversion.ts'
import { ingress, ingressClass } from './ingress.ts'
import { job } from './job.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { namespace } from './namespace.ts'
import { networkPolicy } from './network-policy.ts'
import { node } from './node.ts'
import { persistentVolume } from './persistent-volume.ts'
import {
  apiServices,
  controllerRevision,
  flowSchema,
  ipAddress,
  lease,
  limitRange,
  podTemplate,
  priorityClass,
  priorityLevel,
  resourceQuota,
  runtimeClass,
} from './plain-kinds.ts'
import { pod } from './pod.ts'
import { printerOf } from './printers/printers.ts'
import { warningOfPullSecrets } from './pull-secret-warnings.ts'
import { roles } from './rbac.ts'
import { replicaSet, replicationController } from './replica-set.ts'
import { secret } from './secret.ts'
import { servicesIn } from './services.ts'
import { statefulSet } from './stateful-set.ts'
import { storage } from './storage.ts'
import { persistentVolumeClaim } from './storage-claim.ts'
import type { Surroundings } from './surroundings.ts'
import { viaStored } from './via-stored.ts'
import {
  admissionPolicy,
  mutatingPolicy,
  mutatingWebhooks,
  policyBinding,
  validatingWebhooks,
} from './webhooks.ts'

type Group = Readonly<Record<string, BuiltinBehaviour>>

/** Whether how a kind behaves follows from other objects, so that it differs from one API to the next. */
export const knowsOthers = (group: string, plural: string): boolean =>
  KNOWING_OTHERS.has(`${group}/${plural}`)

const KNOWING_OTHERS = new Set([
  '/persistentvolumeclaims',
  '/pods',
  '/services',
  'networking.k8s.io/ingresses',
])

/**
 * Finds how the objects of a built-in kind behave, in each version that it is served in. Kinds without
 * anything special get the behaviour of most.
 */
export function behavioursIn(
  surroundings: Surroundings,
): (group: string, plural: string) => BuiltinBehaviour {
  const own = ownIn(surroundings)
  const found = new Map<string, BuiltinBehaviour>()
  return (group, plural) => {
    const key = `${group}/${plural}`
    const known = found.get(key)
    if (known) return known
    const behaviour = inServedVersions(group, plural, {
      ...warningOfPullSecrets(key, own[key] ?? groups[group]?.[plural] ?? builtin()),
      printer: printerOf(group, plural),
    })
    found.set(key, behaviour)
    return behaviour
  }
}

/** One entry for each of `KNOWING_OTHERS`. */
const ownIn = (surroundings: Surroundings): Group => ({
  '/persistentvolumeclaims': persistentVolumeClaim(surroundings),
  '/pods': pod(surroundings),
  '/services': servicesIn(surroundings.addresses),
  'networking.k8s.io/ingresses': ingress(surroundings),
})

function inServedVersions(
  group: string,
  plural: string,
  behaviour: BuiltinBehaviour,
): BuiltinBehaviour {
  if (group === 'events.k8s.io') return viaStored(behaviour, 'events.k8s.io/v1', eventConversion)
  return plural === 'horizontalpodautoscalers'
    ? viaStored(behaviour, 'autoscaling/v1', { toStored: scalerToV2, fromStored: scalerFromV2 })
    : behaviour
}

const groups: Readonly<Record<string, Group>> = {
  '': {
    configmaps: configMap,
    endpoints,
    events: coreEvent,
    limitranges: limitRange,
    namespaces: namespace,
    nodes: node,
    persistentvolumes: persistentVolume,
    podtemplates: podTemplate,
    replicationcontrollers: replicationController,
    resourcequotas: resourceQuota,
    secrets: secret,
  },
  'admissionregistration.k8s.io': {
    mutatingadmissionpolicies: mutatingPolicy,
    mutatingadmissionpolicybindings: policyBinding,
    mutatingwebhookconfigurations: mutatingWebhooks,
    validatingadmissionpolicies: admissionPolicy,
    validatingadmissionpolicybindings: policyBinding,
    validatingwebhookconfigurations: validatingWebhooks,
  },
  'apiregistration.k8s.io': { apiservices: apiServices },
  apps: {
    controllerrevisions: controllerRevision,
    daemonsets: daemonSet,
    deployments: deployment,
    replicasets: replicaSet,
    statefulsets: statefulSet,
  },
  autoscaling: { horizontalpodautoscalers: horizontalPodAutoscaler },
  batch: { cronjobs: cronJob, jobs: job },
  'certificates.k8s.io': { certificatesigningrequests: certificateSigningRequest },
  'coordination.k8s.io': { leases: lease },
  'discovery.k8s.io': { endpointslices: endpointSlice },
  'events.k8s.io': { events: newEvent },
  'flowcontrol.apiserver.k8s.io': {
    flowschemas: flowSchema,
    prioritylevelconfigurations: priorityLevel,
  },
  'networking.k8s.io': {
    ingressclasses: ingressClass,
    ipaddresses: ipAddress,
    networkpolicies: networkPolicy,
    servicecidrs: builtin({ newStatus: () => ({}), statusKeepsMetadata: true }),
  },
  'node.k8s.io': { runtimeclasses: runtimeClass },
  policy: { poddisruptionbudgets: podDisruptionBudget },
  'rbac.authorization.k8s.io': roles,
  'resource.k8s.io': {
    deviceclasses: builtin({ hasGeneration: true }),
    resourceclaims: builtin({ newStatus: () => ({}), statusKeepsMetadata: true }),
    resourceslices: builtin({ hasGeneration: true }),
  },
  'scheduling.k8s.io': { priorityclasses: priorityClass },
  'storage.k8s.io': storage,
}
