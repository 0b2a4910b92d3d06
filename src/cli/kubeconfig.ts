import type { Command } from 'commander'
import { addCredentialCommand } from './credential-command.ts'
import type { Output } from './output.ts'

const EXAMPLE = `
It is an administrator's, and good for a year; the operator makes another at half of that.

Example:
  talos-operator kubeconfig demo -o demo.kubeconfig
  kubectl --kubeconfig demo.kubeconfig get nodes`

/** `talos-operator kubeconfig`: how a managed cluster is reached by kubectl. */
export const addKubeconfig = (program: Command, output: Output): Command =>
  addCredentialCommand(program, output, {
    file: 'kubeconfig',
    description: 'print the kubeconfig of a managed cluster',
    example: EXAMPLE,
  })
