import type { Told } from '#runtime/definition.ts'
import type { Step } from './world.ts'

type Telling = { [Do in Step['do']]: (step: Extract<Step, { do: Do }>) => Told }

/**
 * How steps are told. Each reads on after "would" and "could not", and with `Failed` behind its reason
 * it is told that it failed: of these `ConfigApplyFailed` and `MetaKeyFailed` are published.
 */
export const tell: Telling = {
  claim: ({ uuid, disk }) => ({
    reason: 'Claim',
    message: `write down that this is the machine ${uuid}${disk === undefined ? '' : `, and that Talos goes on its disk ${disk}`}`,
  }),
  configure: ({ uuid }) => ({
    reason: 'ConfigApply',
    message: `give the machine ${uuid} its configuration, with which it installs itself`,
  }),
  writeMeta: ({ uuid }) => ({
    reason: 'MetaKey',
    message: `write the network settings of the machine ${uuid} to its META partition`,
  }),
  reset: ({ uuid, graceful }) => ({
    reason: 'Reset',
    message: `tell the machine ${uuid} to reset itself${graceful ? ', after its workloads have left it' : ''}: its disks are wiped`,
  }),
  deleteNode: ({ node }) => ({
    reason: 'DeleteNode',
    message: `take the node ${node} out of the cluster`,
  }),
}
