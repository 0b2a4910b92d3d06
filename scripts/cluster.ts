// `make install`, `uninstall`, `deploy` and `undeploy`: what is ours in the cluster that kubectl points at.

import { installDefinitions, uninstallDefinitions } from './cluster/definitions.ts'
import { fail } from './cluster/fail.ts'
import { deploy, undeploy } from './cluster/operator.ts'

const force = Boolean(process.env.FORCE)
const commands: Record<string, () => void> = {
  install: () => installDefinitions(force),
  uninstall: uninstallDefinitions,
  deploy: () => deploy({ image: process.env.IMG ?? '', force }),
  undeploy,
}

const [name = ''] = process.argv.slice(2)
const command = commands[name]
if (command) command()
else fail(`no such command: ${name}`, 'there are few', `say ${Object.keys(commands).join(' or ')}`)
