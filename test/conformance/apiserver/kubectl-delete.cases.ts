import type { KubectlCase } from './kubectl-cases.ts'
import { configMap, deployment, gadget, pod } from './kubectl-objects.ts'

// An owner and what it owns: the uid of an owner is known only once it is there.
const own = `uid=$(kubectl get configmap/owner -o jsonpath={.metadata.uid}); kubectl patch configmap/owned --type=merge -p "{\\"metadata\\":{\\"ownerReferences\\":[{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"ConfigMap\\",\\"name\\":\\"owner\\",\\"uid\\":\\"$uid\\",\\"blockOwnerDeletion\\":true}]}}"`
const family = { 'all.yaml': [configMap('owner'), configMap('owned')] }
const finalized = {
  ...configMap('held'),
  metadata: { name: 'held', finalizers: ['example.com/hold'] },
}

// Waiting for a deletion prints something only if it is still to come, so that goes to a file.

/** Deleting, with all that follows from it. */
export const deleteCases: readonly KubectlCase[] = [
  {
    name: 'delete in the background deletes what is owned afterwards',
    files: family,
    script: `
      kubectl create -f all.yaml
      ${own}
      kubectl delete configmap/owner --cascade=background
      kubectl wait --for=delete configmap/owned --timeout=30s > deleted
      kubectl get configmap -o name
    `,
  },
  {
    name: 'delete in the foreground waits for what is owned',
    files: family,
    script: `
      kubectl create -f all.yaml
      ${own}
      kubectl patch configmap/owned --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'
      kubectl delete configmap/owner --cascade=foreground --wait=false
      kubectl wait --for=jsonpath='{.metadata.deletionTimestamp}' configmap/owned --timeout=30s
      kubectl get configmap/owner -o jsonpath='{.metadata.finalizers}'
      kubectl patch configmap/owned --type=merge -p '{"metadata":{"finalizers":null}}'
      kubectl wait --for=delete configmap/owned configmap/owner --timeout=30s > deleted
      kubectl get configmap -o name
    `,
  },
  {
    name: 'delete that orphans leaves what is owned',
    files: family,
    script: `
      kubectl create -f all.yaml
      ${own}
      kubectl delete configmap/owner --cascade=orphan
      kubectl get configmap/owned -o yaml
    `,
  },
  {
    name: 'delete takes names, files, selectors and everything',
    files: {
      'all.yaml': [
        ...['a', 'b', 'c', 'd'].map((name) =>
          configMap(name, {}, { half: name < 'c' ? '1' : '2' }),
        ),
        deployment('web'),
        pod('p'),
        gadget('g'),
        gadget('h'),
      ],
      'two.yaml': [configMap('c'), gadget('h')],
    },
    script: `
      kubectl create -f all.yaml
      kubectl delete configmap a
      kubectl delete configmap a
      kubectl delete configmap a --ignore-not-found
      kubectl delete configmap/b gadget/g deployment/web
      kubectl delete -f two.yaml
      kubectl delete -f two.yaml
      kubectl delete -f two.yaml --ignore-not-found
      kubectl create -f two.yaml
      kubectl delete configmap -l half=2 -o name
      kubectl delete gadgets --all
      kubectl delete gadgets --all
      kubectl delete pod/p --dry-run=server
      kubectl delete pod/p --grace-period=0 --force
      kubectl delete configmap --field-selector metadata.name=c
      kubectl delete nothings --all
      kubectl delete configmap
      kubectl get all,configmap,gadget -o name
    `,
  },
  {
    name: 'delete waits for finalizers, as long as it is told to',
    files: { 'held.yaml': finalized },
    script: `
      kubectl create -f held.yaml
      kubectl delete configmap/held --wait --timeout=2s 2>&1 | grep -v reflector.go
      kubectl get configmap/held -o jsonpath='{.metadata.finalizers}{.metadata.deletionGracePeriodSeconds}'
      kubectl delete configmap/held --wait=false
      kubectl label configmap/held a=b
      kubectl patch configmap/held --type=merge -p '{"metadata":{"finalizers":["example.com/other"]}}'
      sh -c 'kubectl delete configmap/held & sleep 1; kubectl patch configmap/held --type=json -p "[{\\"op\\":\\"remove\\",\\"path\\":\\"/metadata/finalizers\\"}]" > /dev/null; wait $!'
      kubectl get configmap/held
    `,
  },
  {
    name: 'a namespace goes with everything in it',
    files: { 'all.yaml': [configMap('a'), gadget('g'), finalized] },
    script: `
      kubectl create -f all.yaml
      kubectl get namespace $NAMESPACE -o yaml
      kubectl delete namespace $NAMESPACE --wait=false
      kubectl wait --for=jsonpath='{.status.phase}'=Terminating namespace/$NAMESPACE --timeout=30s
      kubectl wait --for=delete gadget/g configmap/a --timeout=30s > deleted
      kubectl create -f all.yaml 2>&1 | sort
      kubectl wait --for=condition=NamespaceFinalizersRemaining namespace/$NAMESPACE --timeout=30s
      kubectl patch configmap/held --type=merge -p '{"metadata":{"finalizers":null}}'
      kubectl wait --for=delete namespace/$NAMESPACE --timeout=60s > deleted
      kubectl get namespace $NAMESPACE
    `,
  },
]
