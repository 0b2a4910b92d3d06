import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rootSchema } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { machineSpec } from '#api/machine-pool.ts'
import type { Kind } from '#api/meta.ts'
import type { StructuralSchema, TSchema } from '#api/schema.ts'
import { fieldsOf } from '#scripts/generate/fields.ts'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { type Run, userOf } from '#test/conformance/commands.ts'
import type { Send } from '#test/conformance/kubernetes/https-json.ts'
import { filesMatching } from '#test/repo/tree.ts'
import { until } from '#test/until.ts'

const examples = await filesMatching(/^examples\/.*\.yaml$/)

describe.each(apis)('kubectl on $name', ({ start }) => {
  let api: RunningApi
  let run: Run
  const kubectl = (...args: string[]) => run('kubectl', args)

  beforeAll(async () => {
    api = await start()
    run = await userOf(api.kubeconfig)
    const { exitCode, stderr } = await kubectl('apply', '--server-side', '-k', 'config/crd')
    if (exitCode !== 0) throw new Error(stderr)
    await kubectl('wait', '--for=condition=Established', 'crd', '--all')
    // kubectl knows the kinds as soon as discovery has followed.
    const isKnown = ({ stderr }: { stderr: string }) => stderr.includes('No resources found')
    await until('kubectl to know the kinds', () => kubectl('get', 'talos'), isKnown)
  })
  afterAll(() => api?.[Symbol.asyncDispose]())

  test.each(kinds)('explain knows every field of $kind', async (kind) => {
    const { stdout } = await kubectl('explain', kind.plural, '--recursive')

    const { spec, status } = rootSchema(kind).properties ?? {}
    const wanted = [...fieldsOf('spec', spec ?? {}), ...fieldsOf('status', status ?? {})]
    // Each line is indented by its depth, so that a field is told by its place and not by its name.
    expect(explainedPaths(stdout)).toEqual(
      expect.arrayContaining(wanted.map(({ path }) => path.replaceAll('[]', ''))),
    )
  })

  test.each(kinds)('the text of every field of $kind is in what explain reads', async (kind) => {
    const wanted = textsOf(rootSchema(kind))

    // The document follows the CRDs after a moment.
    const served = await until(
      `the schema of ${kind.kind}`,
      () => servedSchema(api.send, kind),
      (schema) => schema !== undefined,
    )
    expect(textsOf(served ?? {})).toEqual(wanted)
    expect(Object.keys(wanted).length).toBeGreaterThan(10)
  })

  test('explain shows what each field is for', async () => {
    const { stdout } = await kubectl('explain', 'taloscontrolplane.spec.metalSpec.machineSpec')

    const text = stdout.replace(/\s+/g, ' ')
    const fields = Object.entries<TSchema>(machineSpec.properties)
    const unexplained = fields.filter(
      ([, field]) => !text.includes(Reflect.get(field, 'description')),
    )
    expect(fields.length).toBeGreaterThan(5)
    expect(unexplained.map(([name]) => name)).toEqual([])
  })

  test('a machine template with nothing in it is taken, by both ways of applying', async () => {
    const manifest = `
apiVersion: vitistack.io/v1alpha1
kind: KubernetesCluster
metadata:
  name: nothing-in-the-template
spec:
  controlPlane:
    replicas: 3
    machineTemplate:
      spec:
        # Machine specification for control plane nodes
`
    for (const way of [[], ['--server-side', '--force-conflicts']]) {
      const applied = await run('kubectl', ['apply', ...way, '-f', '-'], manifest)
      expect(applied).toMatchObject({ exitCode: 0, stderr: '' })
    }
  })

  test.each(examples)(
    '%s is taken, by both ways of applying, and is then unchanged',
    async (path) => {
      const { exitCode, stderr } = await kubectl('apply', '--validate=strict', '-f', path)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })

      const again = await kubectl('apply', '--validate=strict', '-f', path)
      // A Secret with stringData counts as changed each time, by no fault of ours.
      const changed = again.stdout.split('\n').filter((line) => !/^secret|unchanged$|^$/.test(line))
      expect(changed).toEqual([])

      const serverSide = ['apply', '--server-side', '--force-conflicts', '--validate=strict']
      expect(await kubectl(...serverSide, '-f', path)).toMatchObject({ exitCode: 0, stderr: '' })
      await kubectl('delete', '--wait=true', '-f', path)
    },
  )
})

/** The schema of a kind in the document that `kubectl explain` reads. */
async function servedSchema(send: Send, kind: Kind): Promise<StructuralSchema | undefined> {
  const { group, version } = kind
  const { body } = await send({ method: 'GET', path: `/openapi/v3/apis/${group}/${version}` })
  const { components } = body as { components?: { schemas: Record<string, unknown> } } // the API's words
  const nameOf = group.split('.').reverse().join('.')
  const schema = components?.schemas[`${nameOf}.${version}.${kind.kind}`]
  return schema as StructuralSchema | undefined // the API's words
}

/** The description of each field below spec and status, by its path, and of the kind itself. */
function textsOf(root: StructuralSchema): Record<string, string | undefined> {
  const { spec = {}, status = {} } = root.properties ?? {}
  const texts = (path: string, schema: StructuralSchema): [string, string | undefined][] => [
    [path, schema.description],
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      texts(`${path}.${name}`, field),
    ),
    ...(schema.items ? texts(`${path}[]`, schema.items) : []),
  ]
  return {
    '': root.description,
    ...Object.fromEntries([...texts('spec', spec), ...texts('status', status)]),
  }
}

function explainedPaths(text: string): string[] {
  const path: string[] = []
  return text.split('\n').flatMap((line) => {
    const [, indent = '', name] = /^( *)([\w$-]+)\t<.*>/.exec(line) ?? []
    if (name === undefined) return []
    path.length = indent.length / 2 - 1
    path.push(name)
    return [path.join('.')]
  })
}
