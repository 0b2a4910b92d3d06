/** How long calls of a kind may take, unless the caller says otherwise. For streams: be silent. */
export const DEADLINES = {
  /** Until there is a connection. Most of it is for its turn: a dial by itself is given up much sooner. */
  connect: 60_000,
  /** What a machine answers from memory. */
  read: 10_000,
  /** What it has to do something for, and answers as soon as that is accepted. */
  change: 30_000,
  /** What it answers when it is done: pulling an image, leaving etcd, defragmenting. */
  slow: 10 * 60_000,
  /** A stream that ends when all is said. */
  stream: 60_000,
  /** A stream of what happens, which may be nothing for a while. */
  follow: 5 * 60_000,
} as const

export type Pace = Exclude<keyof typeof DEADLINES, 'connect'>
