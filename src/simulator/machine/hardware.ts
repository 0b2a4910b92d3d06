/** What a machine is made of. It stays when everything else is wiped. */
export interface Hardware {
  readonly uuid: string
  readonly serialNumber: string
  readonly manufacturer: string
  readonly productName: string
  readonly macAddress: string
  readonly cpus: number
  readonly memoryMiB: number
  readonly disks: readonly Disk[]
}

export interface Disk {
  /** `/dev/sda` */
  readonly path: string
  readonly bytes: number
  readonly model: string
  readonly serial: string
  readonly type: 'SSD' | 'HDD' | 'NVME'
  readonly transport: string
  readonly busPath: string
  readonly isReadOnly: boolean
}
