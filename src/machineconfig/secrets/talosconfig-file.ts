import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { compareKeys } from '#machineconfig/write/key-order.ts'
import { decodedPem, encodedPem } from './encoded-pem.ts'
import { GoFields } from './go-fields.ts'
import { goLayout, type LayoutMap } from './go-layout.ts'
import type { TalosContext, Talosconfig } from './talosconfig.ts'

/** Reads a talosconfig. Throws a ConfigError that says where it is none, and shows nothing of it. */
export function readTalosconfig(text: string): Talosconfig {
  try {
    return GoFields.read(text, 'config.Config', configIn)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`failed to read the talosconfig: ${error.message}`)
  }
}

function configIn(file: GoFields): Talosconfig {
  const named = file.within('map[string]*config.Context', 'contexts')?.named('config.Context') ?? []
  return {
    context: file.text('context'),
    contexts: new Map(named.map(([name, fields]) => [name, contextIn(fields)])),
  }
}

function contextIn(fields: GoFields): TalosContext {
  const auth = fields.within('config.Auth', 'auth')
  const basic = auth?.within('config.Basic', 'basic')
  const siderov1 = auth?.within('config.SideroV1', 'siderov1')
  const [ca, certificate, key] = ['ca', 'crt', 'key'].map((name) => pemIn(fields, name))
  const [cluster, proxyUrl] = [fields.text('cluster'), fields.text('proxy-url')]
  return {
    // The last is a form of the past.
    endpoints: [...fields.texts('endpoints'), fields.text('target')].filter((one) => one !== ''),
    nodes: fields.texts('nodes'),
    ...(ca && { ca }),
    ...(certificate && { certificate }),
    ...(key && { key: new Secret(key) }),
    ...(basic && {
      basic: { username: basic.text('username'), password: new Secret(basic.text('password')) },
    }),
    ...(siderov1 && { siderov1: { identity: siderov1.text('identity') } }),
    ...(cluster && { cluster }),
    ...(proxyUrl && { proxyUrl: new Secret(proxyUrl) }),
  }
}

function pemIn(fields: GoFields, name: string): string {
  const pem = decodedPem(fields.text(name))
  if (!(pem instanceof Refusal)) return pem
  fields.refuse(`${name}: ${pem.why}`)
  return ''
}

/** A talosconfig as talosctl writes it. */
export function writeTalosconfig({ context, contexts }: Talosconfig): Secret<string> {
  const sorted = [...contexts].sort(([one], [other]) => compareKeys(one, other))
  const laidOut = sorted.map(([name, one]) => [name, contextLayout(one)] as const)
  return new Secret(goLayout({ context, contexts: new Map(laidOut) }))
}

const contextLayout = (context: TalosContext): LayoutMap => ({
  endpoints: context.endpoints,
  nodes: context.nodes.length > 0 ? context.nodes : undefined,
  ca: context.ca && encodedPem(context.ca),
  crt: context.certificate && encodedPem(context.certificate),
  key: context.key && encodedPem(context.key.open()),
  auth: authLayout(context),
  cluster: context.cluster,
  'proxy-url': context.proxyUrl?.open(),
})

function authLayout({ basic, siderov1 }: TalosContext): LayoutMap | undefined {
  if (!basic && !siderov1) return undefined
  return {
    basic: basic && { username: basic.username, password: basic.password.open() },
    siderov1: siderov1 && { identity: siderov1.identity },
  }
}
