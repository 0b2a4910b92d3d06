import { describe, expect, it } from 'vitest'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { type ConfigFacts, configFacts } from '#simulator/machine/config-facts.ts'
import {
  apiServerCommand,
  controllersCommand,
  kubeletArgs,
  schedulerCommand,
} from './command-lines.ts'

const factsWith = (more = ''): ConfigFacts =>
  configFacts(
    readConfig(`version: v1alpha1\nmachine:\n    type: controlplane\n${more}`, {
      talosVersion: 'v1.13.6',
    }),
    'v1.13.6',
  )

const withApiServer = (args: string): string[] =>
  apiServerCommand(factsWith(`cluster:\n    apiServer:\n        extraArgs:\n${args}`), '10.0.0.1')

describe('a command line', () => {
  it('begins with the program, and has its flags in order', () => {
    const [program, ...flags] = schedulerCommand(factsWith())

    expect(program).toBe('/usr/local/bin/kube-scheduler')
    expect(flags).toContain('--leader-elect=true')
    expect(flags).toEqual(flags.toSorted())
  })

  it('has the networks of the cluster', () => {
    expect(controllersCommand(factsWith())).toEqual(
      expect.arrayContaining(['--cluster-cidr=10.244.0.0/16', '--controllers=*,tokencleaner']),
    )
  })

  it('takes the flags of the configuration instead of its own', () => {
    expect(withApiServer('            profiling: "true"\n')).toContain('--profiling=true')
    expect(withApiServer('            profiling: "true"\n')).not.toContain('--profiling=false')
  })

  it('adds to the flags that hold many, and repeats others', () => {
    const command = withApiServer(`            enable-admission-plugins: AlwaysPullImages
            feature-gates: A=true
            v: ["1", "2"]
`)

    expect(command).toEqual(
      expect.arrayContaining([
        '--enable-admission-plugins=NodeRestriction,AlwaysPullImages',
        '--feature-gates=A=true',
        ...['--v=1', '--v=2'],
      ]),
    )
  })

  it('of a kubelet that registers no node has nothing to register with', () => {
    const kubelet = '    kubelet:\n        skipNodeRegistration: true\n'
    const home = { hostname: 'one', address: '10.0.0.1' }

    expect(kubeletArgs(factsWith(kubelet), home)).toEqual([
      '--cert-dir=/var/lib/kubelet/pki',
      '--config=/etc/kubernetes/kubelet.yaml',
      '--hostname-override=one',
      '--node-ip=10.0.0.1',
    ])
  })
})
