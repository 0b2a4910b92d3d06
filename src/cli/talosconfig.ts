import type { Command } from 'commander'
import { addCredentialCommand } from './credential-command.ts'
import type { Output } from './output.ts'

const EXAMPLE = `
It is an administrator's, and good for a year; the operator makes another at half of that.

Example:
  talos-operator talosconfig demo -o demo.talosconfig
  talosctl --talosconfig demo.talosconfig etcd members`

/** `talos-operator talosconfig`: how the machines of a managed cluster are reached by talosctl. */
export const addTalosconfig = (program: Command, output: Output): Command =>
  addCredentialCommand(program, output, {
    file: 'talosconfig',
    description: 'print the talosconfig of a managed cluster',
    example: EXAMPLE,
  })
