import type { KindCases, Spec } from './cases.ts'
import {
  configAndDeletionCases,
  everyReferenceField,
  machineSpecCases,
  pxeClientCases,
} from './machine-parts.cases.ts'

/** A machine with nothing that could be left out. */
const machine = (changes: Spec = {}): Spec => ({
  endpoint: '10.0.0.1',
  version: 'v1.13.0',
  ...changes,
})

const parentOf = (kind: string): Spec => ({
  ...everyReferenceField,
  apiVersion: 'talos.alperen.cloud/v1alpha1',
  kind,
})

const specs = machineSpecCases((machineSpec) => machine({ machineSpec }), 'spec.machineSpec')
const pxe = pxeClientCases((pxeClientSpec) => machine({ pxeClientSpec }), 'spec.pxeClientSpec')
const configAndDeletion = configAndDeletionCases(machine)

export const machineCases: KindCases = {
  accepted: [
    { title: 'no spec at all' },
    {
      title: 'a machine by its address; the deletion policy has a default',
      spec: machine(),
      becomes: { endpoint: '10.0.0.1', version: 'v1.13.0', deletionPolicy: 'reset' },
    },
    ...['machine-1.example.com', '2001:db8::1'].map((endpoint) => ({
      title: `the endpoint ${endpoint}`,
      spec: machine({ endpoint }),
    })),
    {
      title: 'a machine that has to be this one',
      spec: machine({ uuid: '9a0c5f2e-0000-4000-8000-000000000031' }),
      becomes: { uuid: '9a0c5f2e-0000-4000-8000-000000000031' },
    },
    {
      title: 'another endpoint later on',
      from: machine(),
      spec: machine({ endpoint: '10.0.0.99' }),
    },
    {
      title: 'a version in any words, as published',
      spec: machine({ version: 'latest' }),
      becomes: { version: 'latest' },
    },
    {
      title: 'another version later on, also an older one',
      from: machine({ version: 'v1.13.0' }),
      spec: machine({ version: 'v1.12.6' }),
    },
    ...[
      { field: 'controlPlaneRef', kind: 'TalosControlPlane' },
      { field: 'workerRef', kind: 'TalosWorker' },
    ].map(({ field, kind }) => ({
      title: `a machine of a ${kind}`,
      spec: machine({ [field]: parentOf(kind) }),
      becomes: { [field]: parentOf(kind) },
    })),
    { title: 'an empty reference to a parent', spec: machine({ workerRef: {} }) },
    {
      title: 'a field that the schema does not know is dropped',
      spec: machine({ colour: 'blue', machineSpec: { size: 'large' } }),
      drops: ['colour', 'machineSpec.size'],
    },
    ...configAndDeletion.accepted,
    ...pxe.accepted,
    ...specs.accepted,
  ],
  refused: [
    {
      title: 'no endpoint',
      spec: { version: 'v1.13.0' },
      at: 'spec.endpoint',
      says: 'Required value',
    },
    {
      title: 'no version',
      spec: { endpoint: '10.0.0.1' },
      at: 'spec.version',
      says: 'Required value',
    },
    { title: 'an empty spec', spec: {}, at: 'spec.endpoint', says: 'Required value' },
    {
      title: 'no version later on',
      from: machine(),
      spec: { endpoint: '10.0.0.1' },
      at: 'spec.version',
      says: 'Required value',
    },
    {
      title: 'a version as a number',
      spec: machine({ version: 1.13 }),
      at: 'spec.version',
      says: 'must be of type string',
    },
    {
      title: 'a uuid that is none',
      spec: machine({ uuid: 'the third from the left' }),
      at: 'spec.uuid',
      says: 'should match',
    },
    {
      title: 'a parent as bare text',
      spec: machine({ controlPlaneRef: 'prod' }),
      at: 'spec.controlPlaneRef',
      says: 'must be of type object',
    },
    ...configAndDeletion.refused,
    ...pxe.refused,
    ...specs.refused,
  ],
}
