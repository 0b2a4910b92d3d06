import type { ConfigDocument } from '#machineconfig/document.ts'
import {
  itemsAt,
  keysAt,
  type Section,
  sectionAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { issuerProblems, trustProblems, workerKeyProblems } from './authorities.ts'
import { clusterProblems } from './cluster.ts'
import { cniProblems, cniWarnings } from './cni.ts'
import { diskEncryptionProblems, diskProblems } from './disks.ts'
import { featureProblems } from './features.ts'
import { hostDnsProblems } from './host-dns.ts'
import { extensionProblems, extensionWarnings, installProblems } from './install.ts'
import { kubeletProblems } from './kubelet.ts'
import { enabledKubeSpan, kubeSpanDiscoveryProblems, kubeSpanFilterProblems } from './kubespan.ts'
import { loggingProblems } from './logging.ts'
import {
  isControlPlane,
  machineType,
  machineTypeWarnings,
  unknownTypeProblem,
} from './machine-type.ts'
import { networkProblems, networkWarnings, workerVipProblems } from './network.ts'
import { nodeProblems } from './node-metadata.ts'
import { registryProblems } from './registries.ts'
import { runtimeSpecProblems } from './runtime-spec.ts'

/** Where a configuration is to be used. */
export interface LegacyContext {
  /** The kind of machine: only `metal` installs to a disk, only `container` has no resolver of its own. */
  readonly mode: 'metal' | 'container' | 'cloud'
  /** Whether a warning is an error. */
  readonly strict: boolean
  /** Whether Talos is on the disk already, so that nothing says where to. */
  readonly installed: boolean
  /** The minor version of Talos that judges. From v1.14 on it looks into other documents, too: see later-rules.ts. */
  readonly minor: number
}

/** From this minor version on, other documents may say what only the legacy one could. */
export const FIRST_OF_LATER = 14

/** What Talos says to a configuration, in its words and in its order. */
export interface LegacyVerdict {
  readonly warnings: string[]
  readonly errors: string[]
}

/** Judges the document with `machine` and `cluster`, which up to v1.13 says all that these rules are about. */
export function validateLegacy(document: ConfigDocument, context: LegacyContext): LegacyVerdict {
  const machine = sectionAt(document.fields, 'machine')
  const cluster = sectionAt(document.fields, 'cluster')
  if (!machine) return { warnings: [], errors: ['machine instructions are required'] }
  const errors = [
    ...clusterProblems(cluster, {
      onControlPlane: runsControlPlane(machine),
      mayLackControlPlane: context.minor >= FIRST_OF_LATER,
    }),
    ...platformProblems(machine, context),
    ...trustProblems(machine),
    ...roleProblems(machine, cluster),
    ...machineProblems(machine, cluster, context),
    ...featureProblems(machine, runsControlPlane(machine)),
    ...persistProblems(document.fields),
    ...runtimeSpecProblems(machine),
    ...registryProblems(machine),
  ]
  const warnings = [
    ...(context.minor < FIRST_OF_LATER ? [] : movedWarnings(machine)),
    ...legacyWarnings(machine, cluster),
  ]
  if (!context.strict) return { warnings, errors }
  return { warnings: [], errors: [...errors, ...warnings.map((text) => `warning: ${text}`)] }
}

const runsControlPlane = (machine: Section): boolean =>
  isControlPlane(machineType(textAt(machine, 'type')))

function* platformProblems(
  machine: Section,
  { mode, installed, minor }: LegacyContext,
): Generator<string> {
  const isAlone = minor < FIRST_OF_LATER
  const install = sectionAt(machine, 'install')
  if (mode === 'metal' && !installed && (isAlone || install)) yield* installProblems(install)
  yield* hostDnsProblems(machine, mode === 'container' && isAlone)
}

function* roleProblems(machine: Section, cluster: Section): Generator<string> {
  const type = textAt(machine, 'type')
  switch (machineType(type)) {
    case 'init':
    case 'controlplane':
      yield* cniProblems(cluster)
      yield* issuerProblems(machine)
      break
    case 'worker':
      yield* workerVipProblems(machine)
      yield* workerKeyProblems(machine, cluster)
      break
    case 'unknown':
      yield unknownTypeProblem(type)
  }
}

function* machineProblems(
  machine: Section,
  cluster: Section,
  { minor }: LegacyContext,
): Generator<string> {
  yield* networkProblems(machine)
  yield* diskProblems(machine)
  yield* kubeletProblems(sectionAt(machine, 'kubelet'))
  yield* diskEncryptionProblems(machine)
  const kubeSpan = enabledKubeSpan(machine)
  if (minor < FIRST_OF_LATER) yield* kubeSpanDiscoveryProblems(kubeSpan, cluster)
  yield* kubeSpanFilterProblems(kubeSpan)
  yield* loggingProblems(machine)
  yield* extensionProblems(sectionAt(machine, 'install'))
  yield* nodeProblems(machine)
}

function* persistProblems(fields: Section): Generator<string> {
  if (valueAt(fields, 'persist') === false) yield '.persist should be enabled'
}

function* movedWarnings(machine: Section): Generator<string> {
  if (itemsAt(machine, 'files').length > 0) {
    yield '.machine.files is deprecated; use dedicated configuration documents instead'
  }
  if (keysAt(machine, 'baseRuntimeSpecOverrides').length > 0) {
    yield '.machine.baseRuntimeSpecOverrides is deprecated; use a CRIBaseRuntimeSpecConfig document instead'
  }
}

function* legacyWarnings(machine: Section, cluster: Section): Generator<string> {
  yield* machineTypeWarnings(textAt(machine, 'type'))
  if (runsControlPlane(machine)) yield* cniWarnings(cluster)
  yield* networkWarnings(machine)
  yield* extensionWarnings(sectionAt(machine, 'install'))
}
