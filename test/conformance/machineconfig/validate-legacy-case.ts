/** A configuration: the generated one of a role with some values set, by their path; undefined removes. */
export type LegacyCase = readonly [
  title: string,
  role: 'controlplane' | 'worker',
  changes: Readonly<Record<string, unknown>>,
]

/** A control plane with changes. */
export const controlPlane = (title: string, changes: Record<string, unknown>): LegacyCase => [
  title,
  'controlplane',
  changes,
]

/** A worker with changes. */
export const worker = (title: string, changes: Record<string, unknown>): LegacyCase => [
  title,
  'worker',
  changes,
]
