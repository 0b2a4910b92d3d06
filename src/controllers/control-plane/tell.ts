import { machineWords } from '#engine/pool-machines.ts'
import type { Told } from '#runtime/definition.ts'
import type { Delivered, Step } from './world.ts'

type Of<Do extends Step['do']> = Extract<Step, { do: Do }>

/** Its steps in words, for events: names alone, and nothing of what is in Secrets. */
export const tell = {
  ...machineWords,
  createSecrets: ({ name, from }: Of<'createSecrets'>): Told => ({
    // The published operator says so when it finds what it knew.
    reason: from === 'state' || from === 'status' ? 'StatusRestored' : 'CreateSecrets',
    message: `create Secret ${name} with the secrets of the cluster, ${SOURCES[from]}`,
  }),
  recordCluster: (): Told => ({
    reason: 'RecordCluster',
    message: 'write down which cluster the secrets are of',
  }),
  chooseBootstrap: ({ machine, uuid }: Of<'chooseBootstrap'>): Told => ({
    reason: 'ChooseBootstrap',
    message: `choose ${machine} (${uuid}) as the machine that the cluster begins on`,
  }),
  bootstrap: ({ machine, uuid }: Of<'bootstrap'>): Told => ({
    reason: 'Bootstrap',
    message: `begin the cluster on ${machine} (${uuid})`,
  }),
  recordBegun: ({ machine }: Of<'recordBegun'>): Told => ({
    reason: 'RecordBegun',
    message: `write down that the cluster has begun: ${machine} is a member of etcd`,
  }),
  deliver: ({ what, name, isNew }: Of<'deliver'>): Told => ({
    reason: `Write${what.charAt(0).toUpperCase()}${what.slice(1)}`,
    message: `${isNew ? 'create' : 'renew'} Secret ${name} with ${CONTENTS[what]}`,
  }),
}

const SOURCES: Record<Of<'createSecrets'>['from'], string> = {
  generated: 'newly made',
  state: 'those that an older operator kept in its own Secret',
  status: 'those that an older operator kept in the status',
  configRef: 'those in the configuration that configRef names',
}

const CONTENTS: Record<Delivered, string> = {
  kubeconfig: 'the kubeconfig of an administrator',
  talosconfig: 'the talosconfig of an administrator',
  config: 'the configuration of its machines',
  state: 'what the published operator needs to take over',
}
