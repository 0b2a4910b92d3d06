/** What an etcd holds: the newest version of each key. */
export interface EtcdContent {
  readonly revision: number
  readonly entries: readonly EtcdEntry[]
}

export interface EtcdEntry {
  /** `/registry/pods/default/one` */
  readonly key: string
  readonly value: Uint8Array
  /** Of its last change; no two entries have the same. */
  readonly revision: number
}
