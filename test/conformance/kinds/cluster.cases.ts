import { inside, type KindCases, type Spec } from './cases.ts'
import { controlPlaneCases } from './control-plane.cases.ts'
import { workerCases } from './worker.cases.ts'

const controlPlane: Spec = { mode: 'metal', metalSpec: { machines: [{ address: '10.0.0.1' }] } }
const worker: Spec = { mode: 'metal', metalSpec: { machines: [{ address: '10.0.0.2' }] } }

const ofControlPlane = inside(['controlPlane'], controlPlaneCases)
const ofWorker = inside(['worker'], workerCases)

export const clusterCases: KindCases = {
  accepted: [
    { title: 'no spec at all' },
    { title: 'control plane and workers', spec: { controlPlane, worker } },
    {
      title: 'control plane and workers in container mode',
      spec: {
        controlPlane: { mode: 'container', replicas: 3 },
        worker: { mode: 'container', replicas: 2 },
      },
    },
    { title: 'an empty spec', spec: {} },
    { title: 'a control plane alone', spec: { controlPlane } },
    { title: 'workers alone', spec: { worker } },
    {
      title: 'both by reference; the name of a reference defaults to nothing',
      spec: { controlPlaneRef: {}, workerRef: {} },
      becomes: { controlPlaneRef: { name: '' }, workerRef: { name: '' } },
    },
    {
      title: 'a control plane by reference, and workers described here',
      spec: { controlPlaneRef: { name: 'prod' }, worker },
      becomes: { controlPlaneRef: { name: 'prod' } },
    },
    {
      title: 'a control plane described here, and workers by reference',
      spec: { controlPlane, workerRef: { name: 'prod' } },
      becomes: { workerRef: { name: 'prod' } },
    },
    { title: 'workers added later on', from: { controlPlane }, spec: { controlPlane, worker } },
    {
      title: 'workers removed later on',
      from: { controlPlane, worker },
      spec: { controlPlane },
      drops: ['worker'],
    },
    {
      title: 'workers by reference that were described here',
      from: { controlPlane, worker },
      spec: { controlPlane, workerRef: { name: 'prod' } },
      drops: ['worker'],
    },
    ...['10.0.0.5', '2001:db8::5'].map((address) => ({
      title: `a boot server at ${address}`,
      spec: { pxeServerSpec: { address, interface: 'eth0' } },
      becomes: { pxeServerSpec: { address, interface: 'eth0' } },
    })),
    {
      title: 'a field that the schema does not know is dropped',
      spec: { colour: 'blue', pxeServerSpec: { address: '10.0.0.5', interface: 'eth0', port: 69 } },
      drops: ['colour', 'pxeServerSpec.port'],
    },
    ...ofControlPlane.accepted,
    ...ofWorker.accepted,
  ],
  refused: [
    {
      title: 'a control plane both described here and by reference',
      spec: { controlPlane, controlPlaneRef: { name: 'prod' } },
      at: 'spec',
      says: 'Specify either controlPlane or controlPlaneRef, but not both',
    },
    {
      title: 'workers both described here and by reference',
      spec: { worker, workerRef: { name: 'prod' } },
      at: 'spec',
      says: 'Specify either worker or workerRef, but not both',
    },
    {
      title: 'a second description of the workers later on',
      from: { workerRef: { name: 'prod' } },
      spec: { workerRef: { name: 'prod' }, worker },
      at: 'spec',
      says: 'Specify either worker or workerRef, but not both',
    },
    {
      title: 'a boot server without an address',
      spec: { pxeServerSpec: { interface: 'eth0' } },
      at: 'spec.pxeServerSpec.address',
      says: 'Required value',
    },
    {
      title: 'a boot server without an interface',
      spec: { pxeServerSpec: { address: '10.0.0.5' } },
      at: 'spec.pxeServerSpec.interface',
      says: 'Required value',
    },
    {
      title: 'a boot server by its host name',
      spec: { pxeServerSpec: { address: 'boot.example.com', interface: 'eth0' } },
      at: 'spec.pxeServerSpec.address',
      says: 'should match',
    },
    {
      title: 'a list of workers, which belongs to another kind',
      spec: { worker: [worker] },
      at: 'spec.worker',
      says: 'must be of type object',
    },
    ...ofControlPlane.refused,
    ...ofWorker.refused,
  ],
}
