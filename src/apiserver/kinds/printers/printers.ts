import type { Printer } from '#apiserver/resource.ts'
import { corePrinters } from './core-printers.ts'
import { networkPrinters } from './network-printers.ts'
import { otherPrinters } from './other-printers.ts'
import { podPrinter } from './pod-printer.ts'
import { storagePrinters } from './storage-printers.ts'
import { createdCell, nameCell, tableOf } from './table.ts'
import { workloadPrinters } from './workload-printers.ts'

/** For kinds without a table of their own: what is known of every object. */
export const plainPrinter: Printer = tableOf(nameCell, createdCell)

const printers: Readonly<Record<string, Printer>> = {
  '/pods': podPrinter,
  ...corePrinters,
  ...workloadPrinters,
  ...networkPrinters,
  ...storagePrinters,
  ...otherPrinters,
}

/** How a built-in kind is shown in a table. */
export const printerOf = (group: string, plural: string): Printer =>
  printers[`${group}/${plural}`] ?? plainPrinter
