import { wordsForStage } from '#engine/kubernetes-moves.ts'
import { KUBERNETES_COMPONENTS } from '#machineconfig/versions/kubernetes-components.ts'
import { type Edits, wordsForEdit } from './upgrade-k8s-edits.ts'
import type { Found } from './upgrade-k8s-look.ts'

/** What would be edited, for people. */
export const editsText = ({ edits, left }: Edits, to: string): string =>
  [
    'What would be edited:',
    ...(edits.length === 0
      ? [`  nothing: the spec asks for ${to} already`]
      : edits.map((edit) => `  ${wordsForEdit(edit, to)}`)),
    ...left.map(
      ({ metadata, spec }) =>
        `  TalosWorker ${metadata.name} stays with ${spec?.kubeVersion}, for which it asks: older than its control plane`,
    ),
    '\n',
  ].join('\n')

/** In which order an upgrade comes to which machine, for people. `waits`: what keeps it from beginning now. */
export function orderText(
  { pools, machines }: Found,
  { followed, waits }: { followed: readonly string[]; waits: string | undefined },
): string {
  const own = machines
    .filter(({ spec }) => !spec?.workerRef)
    .map(({ metadata }) => metadata.name)
    .sort()
  const stages = [
    ...KUBERNETES_COMPONENTS.map((one) => `${wordsForStage(one)}: ${own.join(', ')}`),
    ...pools
      .filter(({ metadata }) => followed.includes(metadata.name))
      .map(({ metadata: { name } }) => {
        const names = machines
          .filter(({ spec }) => spec?.workerRef?.name === name)
          .map(({ metadata }) => metadata.name)
        return `${wordsForStage('workers')}, TalosWorker ${name}: ${names.sort().join(', ')}`
      }),
    wordsForStage('manifests'),
  ]
  return [
    waits === undefined
      ? 'Nothing speaks against it.'
      : `It would wait, and what else speaks against it is looked at then: ${waits}`,
    '',
    'The order. No machine reboots; of a control plane one is changed after the other, of a pool as many at once as its',
    'rolloutStrategy lets be down:',
    ...stages.map((stage, at) => `  ${at + 1}. ${stage}`),
    '',
    'Nothing was changed.\n',
  ].join('\n')
}
