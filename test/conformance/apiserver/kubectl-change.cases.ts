import type { KubectlCase } from './kubectl-cases.ts'
import { configMap, deployment, gadget, pod, service } from './kubectl-objects.ts'

/** Changing objects that are there: edit, patch, label, annotate, scale, set, and waiting for it. */
export const changeCases: readonly KubectlCase[] = [
  {
    name: 'edit leaves alone what the editor leaves alone, and writes what it changes',
    files: {
      'c.yaml': [configMap('c', { k: '1' }), gadget('g')],
      'change.sh': '#!/bin/sh\nsed -i \'s/k: "1"/k: "2"/; s/size: small/size: large/\' "$1"\n',
      'wrong.sh':
        '#!/bin/sh\ngrep -q medium "$1" && exit 0\nsed -i \'s/size: .*/size: medium/\' "$1"\n',
      'show.sh': '#!/bin/sh\ncat "$1"\n',
    },
    script: `
      kubectl create -f c.yaml
      KUBE_EDITOR=true kubectl edit configmap/c
      KUBE_EDITOR=./show.sh kubectl edit configmap/c
      KUBE_EDITOR=./change.sh kubectl edit configmap/c gadget/g
      KUBE_EDITOR=./change.sh kubectl edit configmap/c -o json
      kubectl get configmap/c gadget/g -o yaml
      KUBE_EDITOR=./wrong.sh kubectl edit gadget/g 2>&1 | sed 's/kubectl-edit-.*yaml/<file>/'
      KUBE_EDITOR=./change.sh kubectl create --edit -f c.yaml
      kubectl apply -f c.yaml
      KUBE_EDITOR=./change.sh kubectl apply edit-last-applied configmap/c
      KUBE_EDITOR=true kubectl edit configmap/nothing
    `,
  },
  {
    name: 'patch takes each type',
    files: {
      'c.yaml': [configMap('c', { k: '1', other: 'x' }), deployment('web'), gadget('g')],
      'patch.yaml': 'data:\n  k: "5"\n',
    },
    script: `
      kubectl create -f c.yaml
      kubectl patch configmap/c --type=merge -p '{"data":{"k":"2","other":null}}'
      kubectl patch configmap/c --type=merge -p '{"data":{"k":"2"}}'
      kubectl patch configmap/c --type=json -p '[{"op":"test","path":"/data/k","value":"2"},{"op":"add","path":"/data/more","value":"y"}]'
      kubectl patch configmap/c --type=json -p '[{"op":"test","path":"/data/k","value":"9"}]'
      kubectl patch configmap/c --type=json -p '[{"op":"remove","path":"/data/nothing"}]'
      kubectl patch configmap/c --patch-file patch.yaml
      kubectl patch deployment/web -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}'
      kubectl patch deployment/web -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}}' -o yaml
      kubectl patch gadget/g -p '{"spec":{"size":"large"}}'
      kubectl patch gadget/g --type=merge -p '{"spec":{"size":"large"}}' -o yaml
      kubectl patch gadget/g --type=merge -p '{"spec":{"size":"medium"}}'
      kubectl patch gadget/g --type=merge --subresource=status -p '{"status":{"replicas":4}}'
      kubectl get gadget/g --subresource=status -o jsonpath='{.status}'
      kubectl patch gadget/g --type=merge --dry-run=server -p '{"spec":{"note":"n"}}' -o yaml
      kubectl patch -f c.yaml --type=merge -p '{"metadata":{"labels":{"a":"b"}}}'
      kubectl patch configmap/c --type=merge -p '{"metadata":{"resourceVersion":"1"}}'
      kubectl patch configmap/nothing --type=merge -p '{}'
      kubectl get configmap/c -o yaml --show-managed-fields
    `,
  },
  {
    name: 'labels and annotations are set, kept and removed',
    files: { 'c.yaml': [configMap('a'), configMap('b', {}, { x: '1' }), gadget('g')] },
    script: `
      kubectl create -f c.yaml
      kubectl label configmap/a gadget/g x=1 y=2
      kubectl label configmap/a x=1
      kubectl label configmap/a x=9
      kubectl label configmap/a x=9 --overwrite
      kubectl label configmap -l x z=3
      kubectl label configmap/a x-
      kubectl label configmap/a nothing-
      kubectl label configmap/a 'bad key=1'
      kubectl label configmap/a key='bad value'
      kubectl label configmap/a --list | sort
      kubectl label configmap --all all=yes --resource-version=1
      kubectl annotate configmap/a gadget/g note='with spaces' other=2
      kubectl annotate configmap/a note-
      kubectl annotate --overwrite configmap --all other=3
      kubectl annotate configmap/a --list | sort
      kubectl get configmap,gadget --show-labels
      kubectl get configmap/a -o yaml
    `,
  },
  {
    name: 'scale works on Deployments and on defined kinds',
    files: { 'all.yaml': [deployment('web'), gadget('g')] },
    script: `
      kubectl create -f all.yaml
      kubectl patch gadget/g --subresource=scale --type=merge -p '{"spec":{"replicas":2}}'
      kubectl patch deployment/web --subresource=scale --type=merge -p '{"spec":{"replicas":1}}'
      kubectl scale deployment/web --replicas=5
      kubectl scale deployment/web --current-replicas=1 --replicas=6
      kubectl scale deployment/web --current-replicas=5 --replicas=6
      kubectl scale gadget/g --replicas=4
      kubectl scale gadget/g --replicas=-1
      kubectl scale --replicas=3 -f all.yaml
      kubectl scale configmap/kube-root-ca.crt --replicas=3
      kubectl scale gadget/nothing --replicas=3
      kubectl get gadget/g --subresource=scale -o yaml
      kubectl get deployment/web --subresource=scale -o yaml
      kubectl get deployment/web gadget/g -o jsonpath='{.items[*].spec.replicas}'
      kubectl autoscale deployment/web --min=1 --max=4 --cpu=50%
      kubectl get hpa
      kubectl get hpa web -o yaml
    `,
  },
  {
    name: 'wait sees conditions, values, creations and deletions',
    files: {
      'all.yaml': [gadget('g'), configMap('c', { k: '1' })],
      'late.yaml': configMap('late'),
    },
    script: `
      kubectl create -f all.yaml
      kubectl wait --for=condition=Ready gadget/g --timeout=1s
      kubectl patch gadget/g --type=merge --subresource=status -p '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'
      kubectl wait --for=condition=Ready gadget/g --timeout=10s
      kubectl wait --for=condition=Ready=False gadget/g --timeout=1s
      kubectl wait --for=jsonpath='{.data.k}'=1 configmap/c --timeout=10s
      kubectl wait --for=jsonpath='{.data.k}'=2 configmap/c --timeout=1s
      sh -c 'kubectl wait --for=jsonpath="{.data.k}"=2 configmap/c --timeout=20s & sleep 1; kubectl patch configmap/c --type=merge -p "{\\"data\\":{\\"k\\":\\"2\\"}}" > /dev/null; wait $!'
      sh -c 'kubectl wait --for=delete configmap/c --timeout=20s & sleep 1; kubectl delete configmap/c > /dev/null; wait $!'
      kubectl wait --for=delete configmap/c --timeout=10s
      sh -c 'kubectl wait --for=create configmap/late --timeout=20s & sleep 1; kubectl create -f late.yaml > /dev/null; wait $!'
      kubectl wait --for=condition=Established crd/gadgets.kubectl.example.com --timeout=10s
      kubectl wait --for=condition=Ready pods --all --timeout=1s
      kubectl wait --for=condition=Ready pod/nothing --timeout=1s
    `,
  },
  {
    name: 'set changes images, variables, resources, selectors and accounts',
    files: { 'all.yaml': [deployment('web'), service('web'), pod('p')] },
    script: `
      kubectl create -f all.yaml
      kubectl set image deployment/web main=registry.example.com/main:2
      kubectl set image deployment/web main=registry.example.com/main:2
      kubectl set image deployment/web nothing=x
      kubectl set image pod/p main=registry.example.com/main:2
      kubectl set env deployment/web A=1 B=2
      kubectl set env deployment/web A-
      kubectl set env deployment/web --list
      kubectl set resources deployment/web --limits=cpu=200m,memory=128Mi
      kubectl set selector service/web app=other
      kubectl set serviceaccount deployment/web robot
      kubectl set image deployment/web main=x --dry-run=server -o jsonpath='{..image}'
      kubectl get deployment/web service/web -o yaml
      kubectl set env pod/p A=1 2>&1 | head -1
    `,
  },
  {
    name: 'rollout commands that need no controller work',
    files: { 'all.yaml': deployment('web') },
    script: `
      kubectl create -f all.yaml
      kubectl rollout pause deployment/web
      kubectl rollout pause deployment/web
      kubectl rollout resume deployment/web
      kubectl rollout restart deployment/web
      kubectl rollout history deployment/web
      kubectl rollout status deployment/web --watch=false
      kubectl rollout status deployment/web --timeout=1s
      kubectl rollout undo deployment/web
      kubectl patch deployment/web --subresource=status --type=merge -p '{"status":{"observedGeneration":4,"replicas":2,"updatedReplicas":2,"readyReplicas":2,"availableReplicas":2}}'
      kubectl rollout status deployment/web --timeout=10s
      kubectl get deployments
      kubectl get deployment/web -o yaml
    `,
  },
]
