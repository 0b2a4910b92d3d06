import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import type { Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { documentKinds } from '#machineconfig/shapes/shapes.ts'
import { aConfig, aDocument } from './a-config.cases.ts'
import { redacted } from './redact.ts'
import { secretStructs } from './secret-fields.ts'

const shown = (legacy: ValueMap) => redacted(aConfig(legacy)).documents[0]?.fields

test('keys and tokens become stars, certificates stay', () => {
  const ca = { crt: 'Y2VydA==', key: 'a2V5' }

  expect(
    shown({
      machine: { type: 'controlplane', token: 'abc.def', ca, certSANs: ['10.0.0.1'] },
      cluster: { id: 'id', secret: 's', token: 't', ca, serviceAccount: { key: 'a2V5' } },
    }),
  ).toEqual({
    machine: {
      type: 'controlplane',
      token: '******',
      ca: { crt: 'Y2VydA==', key: '******' },
      certSANs: ['10.0.0.1'],
    },
    cluster: {
      id: 'id',
      secret: '******',
      token: '******',
      ca: { crt: 'Y2VydA==', key: '******' },
      serviceAccount: { key: '******' },
    },
  })
})

test('that there is no key is no secret', () => {
  expect(shown({ machine: { ca: { crt: 'Y2VydA==', key: '' } } })).toEqual({
    machine: { ca: { crt: 'Y2VydA==', key: '' } },
  })
})

test('of files, variables and manifests the names stay', () => {
  expect(
    shown({
      machine: {
        files: [{ path: '/var/a', content: 'x', permissions: 420 }],
        env: { http_proxy: 'x', EMPTY: '' },
      },
      cluster: { inlineManifests: [{ name: 'm', contents: 'kind: Secret' }] },
    }),
  ).toEqual({
    machine: {
      files: [{ path: '/var/a', content: '******', permissions: 420 }],
      env: { http_proxy: '******', EMPTY: '' },
    },
    cluster: { inlineManifests: [{ name: 'm', contents: '******' }] },
  })
})

test('in what is free-form, names and texts that tell are hidden', () => {
  expect(
    shown({
      machine: {
        kubelet: {
          extraConfig: {
            serverTLSBootstrap: true,
            apiPassword: 'x',
            list: [{ token: ['a', null, 1] }, 'plain', null],
            pem: '-----BEGIN EC PRIVATE KEY-----',
          },
        },
      },
    }),
  ).toEqual({
    machine: {
      kubelet: {
        extraConfig: {
          serverTLSBootstrap: true,
          apiPassword: '******',
          list: [{ token: ['******', null, '******'] }, 'plain', null],
          pem: '******',
        },
      },
    },
  })
})

test('arguments whose names tell are hidden', () => {
  const extraArgs = { v: '4', 'oidc-client-secret': 'x', 'tls-cipher-suites': ['a', 'b'] }

  expect(shown({ cluster: { apiServer: { extraArgs } } })).toEqual({
    cluster: { apiServer: { extraArgs: { ...extraArgs, 'oidc-client-secret': '******' } } },
  })
})

test('a password in a URL is hidden wherever it stands', () => {
  const mirrors = (endpoint: string) => ({
    machine: { registries: { mirrors: { 'docker.io': { endpoints: [endpoint] } } } },
  })

  expect(shown(mirrors('https://me:word@mirror.example.com'))).toEqual(mirrors('******'))
  expect(shown(mirrors('https://mirror.example.com:5000/a@b'))).toEqual(
    mirrors('https://mirror.example.com:5000/a@b'),
  )
})

test('who asks is hidden without a password, too, and so are tokens among arguments', () => {
  const args = (...extraKernelArgs: string[]) => ({ machine: { install: { extraKernelArgs } } })
  const odd = ['talos.config=https://word@a.example', 'siderolink.api=https://a/?jointoken=b']

  expect(shown(args('console=ttyS0', ...odd))).toEqual(args('console=ttyS0', '******', '******'))
})

// Gone through from each of its signs again, the first of them would take hours.
test('a long text is seen as soon as a short one', () => {
  const [long, user] = ['a'.repeat(1_000_000), 'https://me@a.example']
  const sans = (...certSANs: string[]) => ({ machine: { certSANs } })

  expect(shown(sans(long, long + user))).toEqual(sans(long, '******'))
})

test('a private key is seen behind base64, whatever stands before it', () => {
  const certSANs = ['EC', 'RSA', 'ED25519', 'ENCRYPTED'].map((kind) =>
    Buffer.from(`-----BEGIN ${kind} PRIVATE KEY-----`).toString('base64'),
  )

  expect(shown({ machine: { certSANs } })).toEqual({
    machine: { certSANs: ['******', '******', '******', '******'] },
  })
})

test('variables in what is free-form are hidden, their names stay', () => {
  const pod = (value: string) => ({ env: [{ name: 'A', value }, { name: 'B' }], value: 'x' })

  expect(shown({ machine: { pods: [pod('x')] } })).toEqual({ machine: { pods: [pod('******')] } })
})

test('further documents are redacted as well', () => {
  const config = aConfig(
    {},
    aDocument('RegistryAuthConfig', { name: 'r.example.com', username: 'me', password: 'x' }),
    aDocument('EnvironmentConfig', { variables: { A: 'x' } }),
  )

  expect(redacted(config).documents.map(({ fields }) => fields)).toEqual([
    {},
    { name: 'r.example.com', username: 'me', password: '******' },
    { variables: { A: '******' } },
  ])
})

test('a field that nobody knows is hidden, and so is a value of another shape', () => {
  expect(shown({ novelty: { a: 'x' }, machine: { sysctls: ['x'], certSANs: { a: 'x' } } })).toEqual(
    {
      novelty: { a: '******' },
      machine: { sysctls: ['******'], certSANs: { a: '******' } },
    },
  )
})

test('the list of secret fields names fields that exist', () => {
  const structs = new Map<string, Struct>()
  const visit = (shape: Shape): void => {
    if (shape.is === 'pointer') visit(shape.to)
    if (shape.is === 'list' || shape.is === 'map') visit(shape.of)
    if (shape.is !== 'struct' || structs.has(shape.name)) return
    structs.set(shape.name, shape)
    for (const field of shape.fields.values()) visit(field.shape)
  }
  for (const { shape } of documentKinds()) visit(shape)

  const missing = Object.entries(secretStructs).flatMap(([struct, fields]) =>
    fields.filter((field) => !structs.get(struct)?.fields.has(field)).map((one) => [struct, one]),
  )
  expect(missing).toEqual([])
})
