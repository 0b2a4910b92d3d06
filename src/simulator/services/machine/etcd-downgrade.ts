import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { memberOf } from './etcd.ts'

/** Going back to an older etcd: judged, and refused where etcd would refuse it; none is ever under way. */
export const etcdDowngrade: Answers<typeof MachineService> = {
  etcdDowngradeValidate: ({ version }, { machine }) =>
    judged(machine, 'etcd downgrade validate', version),
  etcdDowngradeEnable: ({ version }, { machine }) =>
    judged(machine, 'etcd downgrade enable', version),
  etcdDowngradeCancel: (_, { machine }) => {
    memberOf(machine, 'etcd downgrade cancel')
    throw new Refusal(
      'Unknown',
      'failed to query etcd status: etcdserver: no inflight downgrade job',
    )
  },
}

function judged(machine: Machine, api: string, version: string) {
  const member = memberOf(machine, api)
  const minor = targetMinor(version)
  const [, current = '0'] = member.status().storageVersion.split('.')
  if (minor !== Number(current) - 1) {
    throw new Refusal(
      'Unknown',
      'failed to query etcd status: etcdserver: invalid downgrade target version',
    )
  }
  return { messages: [{ clusterDowngrade: { clusterVersion: `3.${current}.0` } }] }
}

function targetMinor(version: string): number {
  if (version === '') throw wrong('version is required for etcd downgrade')
  const [major, minor, ...more] = version.split('.')
  if (major === undefined || minor === undefined || more.length > 0) {
    throw wrong('version should be in MAJOR.MINOR format')
  }
  if (!/^\d{1,5}$/.test(major)) throw wrong('major version should be a number')
  if (!/^\d{1,5}$/.test(minor)) throw wrong('minor version should be a number')
  if (Number(major) !== 3 || Number(minor) < 5) {
    throw wrong('etcd downgrade is only supported to 3.5 and later versions')
  }
  return Number(minor)
}

const wrong = (text: string): Refusal => new Refusal('InvalidArgument', text)
