import type { KubeletPhase } from '#engine/kubelet-moves.ts'
import { wordsForStage } from '#engine/kubernetes-moves.ts'
import type { KubernetesRecord } from '#engine/kubernetes-record.ts'
import { machineWords } from '#engine/pool-machines.ts'
import { turnWords } from '#engine/turn-steps.ts'
import type { Told } from '#runtime/definition.ts'
import type { Delivered, Step } from './world.ts'

type Of<Do extends Step['do']> = Extract<Step, { do: Do }>

/** Its steps in words: names alone, and nothing of what is in Secrets. */
export const tell = {
  ...machineWords,
  ...turnWords,
  createSecrets: ({ name, from }: Of<'createSecrets'>): Told => ({
    // The published operator says so when it finds what it knew.
    reason: from === 'state' || from === 'status' ? 'StatusRestored' : 'SecretsCreated',
    failure: 'FailedCreateSecrets',
    deed: `create Secret ${name} with the secrets of the cluster, ${SOURCES[from]}`,
    done: `Secret ${name} created with the secrets of the cluster, ${SOURCES[from]}`,
  }),
  recordCluster: (): Told => ({
    ...{ reason: 'ClusterRecorded', failure: 'FailedRecordCluster' },
    deed: 'write down which cluster the secrets are of',
    done: 'it is written down which cluster the secrets are of',
  }),
  recordFacts: ({ contract, kubeVersion }: Of<'recordFacts'>): Told => ({
    ...{ reason: 'VersionsRecorded', failure: 'FailedRecordVersions' },
    deed: `write down that configurations are made for Kubernetes ${kubeVersion}, in the form of Talos ${contract}`,
    done: `configurations are made for Kubernetes ${kubeVersion}, in the form of Talos ${contract}`,
  }),
  adopt: ({ machines }: Of<'adopt'>): Told => ({
    ...{ reason: 'Imported', failure: 'FailedImport' },
    deed: `take over the cluster as it runs, with the machines ${machines.join(', ')}`,
    done: `the cluster was taken over as it runs, with the machines ${machines.join(', ')}: nothing was changed on them`,
  }),
  moveKubernetes: ({ record }: Of<'moveKubernetes'>): Told => ({
    ...{ reason: 'KubeVersionUpgrade', failure: 'KubeVersionReconciliationFailed' },
    ...wordsForMove(record),
  }),
  syncManifests: ({ machine, record }: Of<'syncManifests'>): Told => ({
    ...{ reason: 'KubernetesUpgraded', failure: 'KubeVersionReconciliationFailed' },
    deed: `bring what Talos runs in the cluster itself to Kubernetes ${record.target}, as ${machine} has it`,
    done: `the cluster was upgraded to Kubernetes ${record.target}`,
  }),
  holdSecrets: ({ name }: Of<'holdSecrets'>): Told => ({
    ...{ reason: 'SecretsHeld', failure: 'FailedHoldSecrets' },
    deed: `keep Secret ${name} from being deleted while this cluster needs it`,
    done: `Secret ${name} is kept from being deleted while this cluster needs it`,
  }),
  releaseSecrets: ({ name }: Of<'releaseSecrets'>): Told => ({
    ...{ reason: 'SecretsReleased', failure: 'FailedReleaseSecrets' },
    deed: `let Secret ${name} be deleted by whoever wants to: no machine needs it any more`,
    done: `Secret ${name} stays for you, and can be deleted: no machine needs it any more`,
  }),
  chooseBootstrap: ({ machine, uuid }: Of<'chooseBootstrap'>): Told => ({
    ...{ reason: 'BootstrapChosen', failure: 'FailedChooseBootstrap' },
    deed: `choose ${machine} (${uuid}) as the machine that the cluster begins on`,
    done: `${machine} (${uuid}) chosen as the machine that the cluster begins on`,
  }),
  bootstrap: ({ machine, uuid }: Of<'bootstrap'>): Told => ({
    ...{ reason: 'Bootstrapped', failure: 'FailedBootstrap' },
    deed: `begin the cluster on ${machine} (${uuid})`,
    done: `${machine} (${uuid}) was told to begin the cluster`,
  }),
  recordBegun: ({ machine }: Of<'recordBegun'>): Told => ({
    ...{ reason: 'ClusterBegun', failure: 'FailedRecordBegun' },
    deed: `write down that the cluster has begun: ${machine} is a member of etcd`,
    done: `the cluster has begun: ${machine} is a member of etcd`,
  }),
  letGo: ({ machine }: Of<'letGo'>): Told => ({
    ...{ reason: 'MayGo', failure: 'FailedLetGo' },
    deed: `let ${machine} go: its node is drained first, then it leaves etcd`,
    done: `${machine} may go: its node is drained first, then it leaves etcd`,
  }),
  keepBack: ({ machine }: Of<'keepBack'>): Told => ({
    ...{ reason: 'KeptBack', failure: 'FailedKeepBack' },
    deed: `keep ${machine} back, which was to go: etcd needs it`,
    done: `${machine} is kept back, which was to go: etcd needs it`,
  }),
  leaveEtcd: ({ machine }: Of<'leaveEtcd'>): Told => ({
    ...{ reason: 'LeftEtcd', failure: 'FailedLeaveEtcd' },
    deed: `take ${machine} out of etcd, so that it can be reset`,
    done: `${machine} is out of etcd, and can be reset`,
  }),
  forgetMember: ({ machine, member }: Of<'forgetMember'>): Told => ({
    ...{ reason: 'EtcdMemberForgotten', failure: 'FailedForgetEtcdMember' },
    deed: `count ${machine} no more for the majority of etcd, which knows nothing of its member ${member}`,
    done: `${machine} does not count for the majority of etcd any more, which knows nothing of its member ${member}`,
  }),
  moveKubelets: ({ phase }: Of<'moveKubelets'>): Told => ({
    ...{ reason: 'KubeletsMoved', failure: 'FailedMoveKubelets' },
    ...wordsForKubelets(phase),
  }),
  uncordon: ({ node }: Of<'uncordon'>): Told => ({
    ...{ reason: 'Uncordoned', failure: 'FailedUncordon' },
    deed: `let pods come to the node ${node} again, which was drained for a machine that nobody stands for any more`,
    done: `pods may come to the node ${node} again, which was drained for a machine that nobody stands for any more`,
  }),
  deliver: ({ what, name, isNew }: Of<'deliver'>): Told => {
    const named = `${what.charAt(0).toUpperCase()}${what.slice(1)}`
    return {
      ...{ reason: `${named}Written`, failure: `FailedWrite${named}` },
      deed: `${isNew ? 'create' : AGAIN[what]} Secret ${name} with ${CONTENTS[what]}`,
      done: `Secret ${name} ${isNew ? 'created' : PAST[AGAIN[what]]} with ${CONTENTS[what]}`,
    }
  },
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

// Credentials end and are made anew; the others follow what they are made from.
const AGAIN: Record<Delivered, 'renew' | 'update'> = {
  kubeconfig: 'renew',
  talosconfig: 'renew',
  config: 'update',
  state: 'update',
}

const PAST = { renew: 'renewed', update: 'updated' }

function wordsForMove(record: KubernetesRecord | undefined): Pick<Told, 'deed' | 'done'> {
  const { target, stage } = record ?? {}
  if (!stage) {
    const done = 'the upgrade of Kubernetes is called off: nothing was changed'
    return { deed: 'call the upgrade of Kubernetes off: nothing was changed', done }
  }
  if (stage === 'stopped') {
    const why = 'because spec.kubeVersion went back'
    return {
      deed: `stop the upgrade of Kubernetes to ${target}, ${why}`,
      done: `the upgrade of Kubernetes to ${target} was stopped, ${why}`,
    }
  }
  const what = wordsForStage(stage)
  return {
    deed: `upgrade Kubernetes to ${target}: next, ${what}`,
    done: `Kubernetes is upgraded to ${target}: ${what}`,
  }
}

function wordsForKubelets(phase: KubeletPhase | undefined): Pick<Told, 'deed' | 'done'> {
  switch (phase) {
    case 'preparing':
      return {
        deed: 'begin no more upgrades of Talos, so that workers can get other kubelets',
        done: 'no upgrade of Talos begins any more, so that workers can get other kubelets',
      }
    case 'moving':
      return {
        deed: 'let workers get other kubelets',
        done: 'workers may get other kubelets',
      }
    case 'ending':
      return {
        deed: 'let no more workers get other kubelets',
        done: 'no more workers get other kubelets',
      }
    default:
      return {
        deed: 'let Talos be upgraded again',
        done: 'Talos may be upgraded again: no worker gets another kubelet',
      }
  }
}
