import type { KubectlCase } from './kubectl-cases.ts'
import { configMap, deployment, gadget, service } from './kubectl-objects.ts'

const kustomization = {
  resources: ['web.yaml', 'shared.yaml'],
  namePrefix: 'pre-',
  labels: [{ pairs: { from: 'kustomize' } }],
  configMapGenerator: [{ name: 'made', literals: ['a=1'] }],
}

/** Writing declared objects: apply, diff, replace, prune and validation. */
export const applyCases: readonly KubectlCase[] = [
  {
    name: 'apply creates, leaves unchanged, changes and removes fields',
    files: {
      'one.yaml': [configMap('a', { k: '1', gone: 'x' }), deployment('web'), service('web')],
      'two.yaml': [configMap('a', { k: '2' }), deployment('web', 3), service('web')],
    },
    script: `
      kubectl apply -f one.yaml
      kubectl apply -f one.yaml
      kubectl apply -f two.yaml
      kubectl apply -f two.yaml -o name
      kubectl apply view-last-applied configmap/a
      kubectl get configmap/a -o yaml
      kubectl get deployment/web -o yaml
      kubectl get service/web -o yaml
      kubectl apply set-last-applied -f one.yaml
      kubectl apply view-last-applied configmap/a -o json
    `,
  },
  {
    name: 'apply --server-side owns fields, meets conflicts and can force them',
    files: {
      'one.yaml': [configMap('a', { k: '1' }), gadget('g', { parts: [{ name: 'x', weight: 1 }] })],
      'two.yaml': [
        configMap('a', { k: '2' }),
        gadget('g', { size: 'large', parts: [{ name: 'other' }] }),
      ],
    },
    script: `
      kubectl apply --server-side -f one.yaml
      kubectl apply --server-side -f one.yaml
      kubectl apply --server-side --field-manager=other -f two.yaml
      kubectl apply --server-side --field-manager=other --force-conflicts -f two.yaml
      kubectl get configmap/a -o yaml --show-managed-fields
      kubectl get gadget/g -o yaml --show-managed-fields
      kubectl apply --server-side -f one.yaml
      kubectl apply --server-side --dry-run=server --force-conflicts -f one.yaml
    `,
  },
  {
    name: 'client-side apply and server-side apply hand objects to each other',
    files: { 'a.yaml': [configMap('a', { k: '1' }), deployment('web')] },
    script: `
      kubectl apply -f a.yaml
      kubectl apply --server-side -f a.yaml
      kubectl get configmap/a -o yaml --show-managed-fields
      kubectl apply -f a.yaml
      kubectl get deployment/web -o jsonpath='{.metadata.managedFields[*].manager} {.metadata.managedFields[*].operation}'
    `,
  },
  {
    name: 'diff ends with 0 for no difference and 1 for some',
    files: {
      'one.yaml': [configMap('a', { k: '1' }), deployment('web')],
      'two.yaml': [configMap('a', { k: '2' }), deployment('web', 5), configMap('new')],
    },
    script: `
      kubectl diff -f one.yaml
      kubectl apply -f one.yaml
      kubectl diff -f one.yaml
      kubectl diff -f two.yaml
      kubectl diff --server-side -f one.yaml
      kubectl diff --server-side --force-conflicts -f two.yaml
      kubectl get configmap -o name
    `,
  },
  {
    name: 'replace changes an object, refuses an old one, and --force makes a new one',
    files: {
      'a.yaml': configMap('a', { k: '1' }),
      'b.yaml': configMap('a', { k: '2' }),
      'old.yaml': { ...configMap('a'), metadata: { name: 'a', resourceVersion: '1' } },
    },
    script: `
      kubectl replace -f a.yaml
      kubectl create -f a.yaml
      kubectl create -f a.yaml
      kubectl replace -f b.yaml
      kubectl get configmap/a -o yaml
      kubectl replace -f old.yaml
      kubectl get configmap/a -o yaml | sed 's/k: "2"/k: "3"/' | kubectl replace -f -
      kubectl replace --force -f a.yaml
      kubectl get configmap/a -o jsonpath='{.data}'
      kubectl replace --dry-run=server -f b.yaml -o yaml
    `,
  },
  {
    name: 'apply --prune removes what is no longer declared',
    files: {
      'all.yaml': [
        configMap('a', {}, { set: 'one' }),
        configMap('b', {}, { set: 'one' }),
        configMap('other', {}, { set: 'two' }),
      ],
      'less.yaml': configMap('a', {}, { set: 'one' }),
    },
    script: `
      kubectl apply -f all.yaml
      kubectl apply --prune -l set=one -f less.yaml --prune-allowlist=core/v1/ConfigMap
      kubectl get configmap -o name
      KUBECTL_APPLYSET=true kubectl apply --prune --applyset=mine -f all.yaml
      KUBECTL_APPLYSET=true kubectl apply --server-side --force-conflicts --prune --applyset=mine -f less.yaml
      kubectl get configmap -o name
    `,
  },
  {
    name: 'kustomize is applied, diffed and deleted',
    files: {
      'k/kustomization.yaml': kustomization,
      'k/web.yaml': [deployment('web'), service('web')],
      'k/shared.yaml': configMap('shared', { a: 'b' }),
    },
    script: `
      kubectl kustomize k
      kubectl apply -k k
      kubectl diff -k k
      kubectl get all,configmap -l from=kustomize -o name
      kubectl delete -k k
      kubectl get configmap -o name
    `,
  },
  {
    name: 'validation tells unknown and wrong fields',
    files: {
      'unknown.yaml': { ...configMap('a'), spec: {}, colour: 'red' },
      'colour.yaml': { ...configMap('a'), colour: 'red' },
      'wrong.yaml': {
        ...deployment('web'),
        spec: { replicas: 'many', selector: {}, template: {} },
      },
      'twice.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata:\n  a: "1"\n  a: "2"\n',
      'gadget.yaml': gadget('g', { colour: 'red' }),
      'size.yaml': gadget('g', { size: 'medium' }),
      'nameless.yaml': { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
      'nokind.yaml': { apiVersion: 'v1', metadata: { name: 'x' } },
      'nosuch.yaml': { apiVersion: 'example.com/v1', kind: 'Nothing', metadata: { name: 'x' } },
      'bad.yaml': {
        ...configMap('Bad_Name'),
        metadata: { name: 'Bad_Name', labels: { 'a b': 'c' } },
      },
    },
    script: `
      kubectl apply --validate=strict -f unknown.yaml
      kubectl apply --validate=warn -f unknown.yaml
      kubectl apply --validate=ignore -f unknown.yaml
      kubectl create --validate=strict -f wrong.yaml
      kubectl create --validate=ignore -f wrong.yaml
      kubectl apply --validate=strict -f twice.yaml
      kubectl apply --validate=warn -f twice.yaml
      kubectl apply -f gadget.yaml
      kubectl apply --validate=warn -f gadget.yaml
      kubectl apply -f size.yaml
      kubectl apply --server-side -f size.yaml
      kubectl apply -f nameless.yaml
      kubectl apply -f nokind.yaml
      kubectl apply -f nosuch.yaml
      kubectl apply -f bad.yaml
      kubectl apply --server-side -f colour.yaml
    `,
  },
  {
    name: 'a file of a hundred documents is applied twice and deleted',
    files: {
      'many.yaml': Array.from({ length: 100 }, (_, n) =>
        n % 2 ? configMap(`c${n}`, { n: `${n}` }) : gadget(`g${n}`, { replicas: n }),
      ),
    },
    script: `
      kubectl apply -f many.yaml
      kubectl apply --server-side --force-conflicts -f many.yaml
      kubectl get gadgets,configmaps --chunk-size=30 -o name
      kubectl delete -f many.yaml --wait=false
      kubectl get gadgets
    `,
  },
  {
    name: 'dry runs print what would be made, and make nothing',
    files: { 'a.yaml': [configMap('a', { k: '1' }), deployment('web'), gadget('g')] },
    script: `
      kubectl create --dry-run=client -o yaml -f a.yaml
      kubectl create --dry-run=server -o yaml -f a.yaml
      kubectl apply --dry-run=server -f a.yaml
      kubectl apply --dry-run=client -f a.yaml
      kubectl create configmap made --from-literal=a=b --dry-run=client -o yaml
      kubectl create configmap made --from-literal=a=b --dry-run=server -o yaml
      kubectl get all,configmap,gadget -o name
    `,
  },
]
