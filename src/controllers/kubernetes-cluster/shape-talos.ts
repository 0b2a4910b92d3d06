import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type Finding, shown } from './finding.ts'

/** What goes into the configurations of machines, but for secrets. */
export interface TalosSettings {
  install: {
    disk: string
    image?: string
    bootloader: boolean
    wipe: boolean
    extraKernelArgs: string[]
  }
  certSANs: string[]
  kubelet: { image?: string; extraArgs: Record<string, string> }
  /** The Secret that the user brings keys and tokens in. */
  secretRef?: string
}

type TalosConfig = NonNullable<NonNullable<KubernetesCluster['spec']>['talosConfig']>

const FIELD = 'spec.talosConfig'
const DISK = '/dev/sda'
const TYPES = ['controlplane', 'worker']
// As TalosControlPlane has it.
const DISK_PATH = /^\/dev\/[A-Za-z0-9._:+@=/\\-]+$/

/** Judges talosConfig, but for its networks. */
export function judgeTalos(cluster: string, config: TalosConfig = {}): Finding<TalosSettings> {
  const { machine = {}, install = {}, secretRef } = config
  const { disk = DISK, bootloader = true, wipe = false, extraKernelArgs = [] } = install
  const { certSANs = [], kubelet = {} } = machine
  const path = disk || DISK
  const problems = [
    ...machineProblems(machine),
    ...nameProblems(cluster, config),
    ...secretProblems(config),
    ...(DISK_PATH.test(path)
      ? []
      : [`${FIELD}.install.disk is ${shown(path)}: write a path below /dev, like /dev/sda`]),
  ]
  const value: TalosSettings = {
    install: {
      ...{ disk: path, bootloader, wipe, extraKernelArgs },
      ...(install.image && { image: install.image }),
    },
    certSANs,
    kubelet: {
      ...(kubelet.image && { image: kubelet.image }),
      extraArgs: kubelet.extraArgs ?? {},
    },
    ...(secretRef?.name && { secretRef: secretRef.name }),
  }
  return { value, problems }
}

function machineProblems({ type, ca }: NonNullable<TalosConfig['machine']>): string[] {
  const isHalf = Boolean(ca?.crt) !== Boolean(ca?.key)
  return [
    ...(type && !TYPES.includes(type)
      ? [`${FIELD}.machine.type is ${shown(type)}: take it out, the role of a machine decides`]
      : []),
    ...(isHalf
      ? [
          `${FIELD}.machine.ca has ${ca?.crt ? 'crt and no key' : 'key and no crt'}: write both, or better neither`,
        ]
      : []),
  ]
}

const nameProblems = (name: string, { cluster }: TalosConfig): string[] =>
  cluster?.name && cluster.name !== name
    ? [
        `${FIELD}.cluster.name is ${shown(cluster.name)} and the cluster is called ${name}: take it out`,
      ]
    : []

/** Nobody could tell which of the two counts. */
function secretProblems({ machine, secretRef }: TalosConfig): string[] {
  const isOpen = Boolean(machine?.token || machine?.ca?.crt || machine?.ca?.key)
  return secretRef?.name && isOpen
    ? [
        `${FIELD} has secretRef, and token or ca in machine as well: take these out, they are for everybody to read`,
      ]
    : []
}
