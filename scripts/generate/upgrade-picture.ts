// The picture of an upgrade of Kubernetes: its stages from the code, in their order, and what is done to each machine in one.

import { STAGES, type Stage } from '#engine/kubernetes-record.ts'
import { KUBERNETES_COMPONENTS } from '#machineconfig/versions/kubernetes-components.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

/** What a reader has to know of a stage. One that is not drawn has no words. */
const WORDS: Record<Stage, readonly [what: string, how: string] | undefined> = {
  preparing: ['is anything against it?', 'path, Talos, skew, flags, APIs, pinned images'],
  apiServer: ['API servers', 'control plane, one machine after the other'],
  controllerManager: ['controller managers', 'control plane, one machine after the other'],
  scheduler: ['schedulers', 'control plane, one machine after the other'],
  proxy: ['what kube-proxy is to be', 'control plane, one machine after the other'],
  kubelet: ['kubelets of the control plane', 'one machine after the other'],
  workers: ['kubelets of the workers', 'as many at once as maxUnavailable says'],
  manifests: ['what Talos runs in the cluster', 'kube-proxy, CoreDNS, flannel, and your own'],
  done: ['done', 'status.observedKubeVersion'],
  stopped: undefined,
}

const TURN = [
  ['its turn', 'all others are well'],
  ['fetch the image', 'while the old one runs'],
  ['give the configuration', 'no reboot, no drain'],
  ['does it run?', 'what the machine says, not that it said yes'],
  ['watch it', 'half a minute, or minReadySeconds'],
] as const

const ENDS = [
  'No image, refused, or does not run: nobody else',
  'is changed, and the message says why.',
  'It goes on when that is mended.',
  'kubeVersion set back stops it until workers begin.',
] as const

const LEFT = { x: 24, width: 372 }
const RIGHT = { x: 520, width: 316 }
const [BOX, GAP, TOP] = [46, 18, 86]

interface Box {
  x: number
  y: number
  width: number
  words: readonly [what: string, how: string]
  fill: string
}

export const upgradePictureFiles = (): GeneratedFile[] => [
  { path: 'docs/reference/kubernetes-upgrade.svg', content: picture() },
]

function picture(): string {
  const stages = STAGES.flatMap((stage) => {
    const words = WORDS[stage]
    return words ? [{ stage, words }] : []
  })
  const bottom = topOf(stages.length) + 42
  const boxes = stages.map(({ stage, words }, at) =>
    boxOf({ ...LEFT, y: topOf(at), words, fill: fillOf(stage) }),
  )
  const moves = stages.findIndex(({ stage }) => stage === KUBERNETES_COMPONENTS[0])
  const last = stages.findIndex(({ stage }) => stage === 'workers')
  const turns = TURN.map((words, at) =>
    boxOf({ ...RIGHT, y: topOf(moves + at), words, fill: '#eef4ff' }),
  )
  return [
    `<!-- ${MARKER} -->`,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${bottom}" font-family="sans-serif" font-size="14">`,
    '  <title>How Kubernetes is upgraded</title>',
    '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#445"/></marker></defs>',
    `  <rect width="860" height="${bottom}" fill="#ffffff"/>`,
    text([LEFT.x, 34], 'An edit of kubeVersion', 'font-size="18" font-weight="bold"'),
    text([LEFT.x, 56], 'no part is ever newer than the API servers', 'fill="#556"'),
    text([RIGHT.x, 34], 'On each machine, each time', 'font-size="18" font-weight="bold"'),
    text([RIGHT.x, 56], 'first the image, then the change, then a look', 'fill="#556"'),
    ...boxes,
    ...arrows(LEFT, { from: 0, to: stages.length - 1 }),
    ...turns,
    ...arrows(RIGHT, { from: moves, to: moves + TURN.length - 1 }),
    brace(moves, last),
    ...ENDS.map((words, at) =>
      text(
        [RIGHT.x, topOf(moves + TURN.length) + 16 + at * 20],
        words,
        'font-size="12" fill="#8a3b00"',
      ),
    ),
    '</svg>',
    '',
  ].join('\n')
}

const topOf = (at: number): number => TOP + at * (BOX + GAP)

const fillOf = (stage: Stage): string => {
  if (stage === 'preparing') return '#fff4e5'
  return stage === 'done' ? '#e8f6ea' : '#eef4ff'
}

const boxOf = ({ x, y, width, words: [what, how], fill }: Box): string =>
  [
    `  <rect x="${x}" y="${y}" width="${width}" height="${BOX}" rx="6" fill="${fill}" stroke="#99a"/>`,
    text([x + 14, y + 20], what, 'font-weight="bold"'),
    text([x + 14, y + 37], how, 'font-size="12" fill="#556"'),
  ].join('\n')

const text = ([x, y]: readonly [number, number], words: string, style: string): string =>
  `  <text x="${x}" y="${y}" ${style}>${words}</text>`

const arrows = ({ x }: { x: number }, { from, to }: { from: number; to: number }): string[] =>
  Array.from({ length: to - from }, (_, at) => {
    const y = topOf(from + at) + BOX
    return `  <path d="M${x + 40} ${y}v${GAP - 2}" stroke="#445" marker-end="url(#tip)"/>`
  })

/** Which of the stages are made of what stands beside them. */
function brace(from: number, to: number): string {
  const x = LEFT.x + LEFT.width + 14
  const [y, end] = [topOf(from), topOf(to) + BOX]
  return `  <path d="M${x} ${y}h16v${end - y}h-16m16 ${(y - end) / 2}h${RIGHT.x - x - 34}" fill="none" stroke="#99a"/>`
}
