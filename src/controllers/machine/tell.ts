import type { PodRef } from '#engine/node-pods.ts'
import type { Told } from '#runtime/definition.ts'
import type { Step } from './world.ts'

type Telling = { [Do in Step['do']]: (step: Extract<Step, { do: Do }>) => Told }

/** Its steps in words. Of the reasons `ConfigApplyFailed` and `MetaKeyFailed` are published. */
export const tell: Telling = {
  claim: ({ uuid, disk }) => ({
    ...{ reason: 'Claimed', failure: 'FailedClaim' },
    deed: `write down that this is the machine ${uuid}${disk === undefined ? '' : `, and that Talos goes on its disk ${disk}`}`,
    done: `this object stands for the machine ${uuid}${disk === undefined ? '' : `, and Talos goes on its disk ${disk}`}`,
  }),
  adopt: ({ uuid }) => ({
    ...{ reason: 'Imported', failure: 'FailedImport' },
    deed: `take over the machine ${uuid} as it runs`,
    done: `machine ${uuid} was taken over as it runs: nothing was changed on it`,
  }),
  noteMember: ({ member }) => ({
    ...{ reason: 'EtcdMemberNoted', failure: 'FailedNoteEtcdMember' },
    deed: `write down that the machine is the member ${member} of etcd`,
    done: `the machine is the member ${member} of etcd`,
  }),
  configure: ({ uuid }) => ({
    ...{ reason: 'ConfigApplied', failure: 'ConfigApplyFailed' },
    deed: `give the machine ${uuid} its configuration, with which it installs itself`,
    done: `machine ${uuid} was given its configuration, and installs itself`,
  }),
  applyConfig: ({ uuid, mode }) => ({
    ...{ reason: 'ConfigChanged', failure: 'FailedChangeConfig' },
    deed: `change the configuration of the machine ${uuid}${HOW[mode]}`,
    done: `configuration of the machine ${uuid} changed${HOW[mode]}, unless it says otherwise`,
  }),
  keepConfig: ({ uuid }) => ({
    ...{ reason: 'ConfigKept', failure: 'FailedKeepConfig' },
    deed: `have the machine ${uuid} keep the configuration that it tries`,
    done: `machine ${uuid} keeps the configuration that it tried`,
  }),
  noteConfig: () => ({
    ...{ reason: 'ConfigNoted', failure: 'FailedNoteConfig' },
    deed: 'write down which configuration the machine has',
    done: 'the machine has the configuration that the spec asks for',
  }),
  noteRejected: ({ why }) => ({
    ...{ reason: 'ConfigRejected', failure: 'FailedNoteConfig' },
    deed: `write down that the machine does not take its configuration: ${why}`,
    done: `the machine does not take its configuration: ${why}`,
  }),
  noteCutOff: () => ({
    ...{ reason: 'ConfigCutsOff', failure: 'FailedNoteConfig' },
    deed: 'write down that the machine does not answer with the configuration that it tries',
    done: 'the machine does not answer with the configuration that it tries, and is to take it back by itself',
  }),
  pullImages: ({ images }) => ({
    ...{ reason: 'PullingImages', failure: 'FailedPullImages' },
    deed: `have the machine fetch ${images.map(({ image }) => image).join(', ')}`,
    done: `the machine fetches ${images.map(({ image }) => image).join(', ')}`,
  }),
  pullImage: ({ image }) => ({
    ...{ reason: 'PullingImage', failure: 'FailedPullImage' },
    deed: `have the machine fetch ${image}`,
    done: `the machine fetches ${image}`,
  }),
  install: ({ uuid, image, by }) => ({
    ...{ reason: 'Upgrading', failure: 'FailedUpgrade' },
    deed: `have the machine ${uuid} install ${image}${by === 'all' ? AND_REBOOT : BESIDE}`,
    done: `machine ${uuid} was told to install ${image}${by === 'all' ? AND_REBOOT : BESIDE}`,
  }),
  noteUpgrade: ({ record: { phase, image } }) => ({
    ...{ reason: 'UpgradeNoted', failure: 'FailedNoteUpgrade' },
    deed: phase === 'installed' ? `write down that ${image} is installed` : STILL_AT_IT,
    done: phase === 'installed' ? `${image} is installed beside what runs` : IS_STILL_AT_IT,
  }),
  restart: ({ uuid }) => ({
    ...{ reason: 'Rebooting', failure: 'FailedReboot' },
    deed: `reboot the machine ${uuid}`,
    done: `machine ${uuid} was told to reboot`,
  }),
  noteUpgraded: () => ({
    ...{ reason: 'Upgraded', failure: 'FailedNoteUpgrade' },
    deed: 'write down that the machine has booted what it was to boot',
    done: 'the machine has booted what it was to boot',
  }),
  dropUpgrade: () => ({
    ...{ reason: 'UpgradeTakenBack', failure: 'FailedNoteUpgrade' },
    deed: 'write down that the machine boots what it runs, as it is to',
    done: 'the upgrade is taken back: the machine boots what it runs, as it is to',
  }),
  noteUpgradeFailed: ({ image, why }) => ({
    ...{ reason: 'UpgradeFailed', failure: 'FailedNoteUpgrade' },
    deed: `write down that the machine does not run ${image}: ${why}`,
    done: `the machine does not run ${image}: ${why}`,
  }),
  endTurn: () => ({
    ...{ reason: 'TurnDone', failure: 'FailedEndTurn' },
    deed: 'say that the machine is changed, and that it can be the turn of another one',
    done: 'the machine is changed: it can be the turn of another one',
  }),
  writeMeta: ({ uuid }) => ({
    ...{ reason: 'MetaKeyWritten', failure: 'MetaKeyFailed' },
    deed: `write the network settings of the machine ${uuid} to its META partition`,
    done: `network settings of the machine ${uuid} written to its META partition`,
  }),
  cordon: ({ node }) => ({
    ...{ reason: 'Cordoned', failure: 'FailedCordon' },
    deed: `let no more pods come to the node ${node}, so that it can be drained`,
    done: `no more pods come to the node ${node}, which is drained`,
  }),
  uncordon: ({ node }) => ({
    ...{ reason: 'Uncordoned', failure: 'FailedUncordon' },
    deed: `let pods come to the node ${node} again`,
    done: `pods may come to the node ${node} again`,
  }),
  evict: ({ node, pods }) => ({
    ...{ reason: 'Evicting', failure: 'FailedEvict' },
    deed: `ask ${namesOf(pods)} to leave the node ${node}`,
    done: `${namesOf(pods)} asked to leave the node ${node}`,
  }),
  deletePods: ({ node, pods }) => ({
    ...{ reason: 'PodsDeleted', failure: 'FailedDeletePods' },
    deed: `delete ${namesOf(pods)}, which did not leave the node ${node} in time`,
    done: `${namesOf(pods)} deleted: they did not leave the node ${node} in time`,
  }),
  giveUpDrain: ({ node }) => ({
    ...{ reason: 'DrainGivenUp', failure: 'FailedGiveUpDrain' },
    deed: `let pods come to the node ${node} again, which could not be drained in time`,
    done: `the node ${node} could not be drained in time: pods may come to it again`,
  }),
  reset: ({ uuid, graceful }) => ({
    ...{ reason: 'Resetting', failure: 'FailedReset' },
    deed: `tell the machine ${uuid} to reset itself${graceful ? GENTLY : ''}: its disks are wiped`,
    done: `machine ${uuid} was told to reset itself${graceful ? GENTLY : ''}: its disks are wiped`,
  }),
  deleteNode: ({ node }) => ({
    ...{ reason: 'NodeDeleted', failure: 'FailedDeleteNode' },
    deed: `take the node ${node} out of the cluster`,
    done: `node ${node} taken out of the cluster`,
  }),
}

const AND_REBOOT = ', and reboot'
const BESIDE = ' beside what runs'
const IS_STILL_AT_IT = 'the machine is still at an installation that it was told before'
const STILL_AT_IT = `write down that ${IS_STILL_AT_IT}`
const HOW = { live: '', try: ' for a try', reboot: ', for which it reboots' }

const namesOf = (pods: readonly PodRef[]): string =>
  `the pods ${pods.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')}`

const GENTLY = ', after its workloads have left it'
