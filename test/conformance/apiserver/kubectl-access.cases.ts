import type { KubectlCase } from './kubectl-cases.ts'
import { node, pod } from './kubectl-objects.ts'

const bound = (name: string, to: string, labels: Record<string, string>) => {
  const base = pod(name, labels)
  return { ...base, spec: { ...base.spec, nodeName: to } }
}

/** Who may do what, and what concerns nodes. */
export const accessCases: readonly KubectlCase[] = [
  {
    name: 'auth tells what one may do',
    script: `
      kubectl auth can-i get pods
      kubectl auth can-i '*' '*' -A
      kubectl auth can-i create pods --as=jane
      kubectl auth can-i create pods --as=jane -q
      kubectl create role reader --verb=get,list --resource=configmaps
      kubectl create rolebinding reads --role=reader --user=jane
      kubectl auth can-i get configmaps --as=jane
      kubectl auth can-i get configmaps/a --as=jane
      kubectl auth can-i delete configmaps --as=jane
      kubectl auth can-i get configmaps --as=jane -A
      kubectl auth can-i get deployments --subresource=scale --as=jane
      kubectl auth can-i get /metrics --as=jane
      kubectl auth can-i get nothings --as=jane
      kubectl auth can-i --list --as=jane
      kubectl auth can-i --list
      kubectl auth whoami
      kubectl auth whoami --as=jane --as-group=people --as-uid=7 --as-user-extra=a=b -o yaml
      kubectl get configmaps --as=jane -o name
      kubectl get secrets --as=jane
      kubectl create configmap x --as=jane
      kubectl get nodes --as=jane
      kubectl get --raw /metrics --as=jane
      kubectl delete configmap --all --as=jane
      kubectl get configmaps --as=system:serviceaccount:$NAMESPACE:default
    `,
  },
  {
    name: 'auth reconcile brings roles to what is wanted',
    files: {
      'role.yaml': {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'reconciled' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
      },
    },
    script: `
      kubectl create clusterrole reconciled --verb=get --resource=secrets
      kubectl auth reconcile -f role.yaml
      kubectl get clusterrole reconciled -o jsonpath='{.rules}'
      kubectl auth reconcile -f role.yaml --remove-extra-permissions
      kubectl get clusterrole reconciled -o jsonpath='{.rules}'
      kubectl delete clusterrole reconciled
    `,
  },
  {
    name: 'a token is made, and is who it is made for',
    script: `
      kubectl create serviceaccount robot
      kubectl create token robot
      kubectl create token robot --duration=1h --audience=https://example.com
      kubectl create token robot --duration=1s
      kubectl create token nothing
      kubectl create role reader --verb=get,list --resource=configmaps
      kubectl create rolebinding reads --role=reader --serviceaccount=$NAMESPACE:robot
      kubectl config set-credentials robot --token=$(kubectl create token robot)
      kubectl config set-context robot --cluster=test --user=robot --namespace=$NAMESPACE
      kubectl --context=robot auth whoami -o jsonpath='{.status.userInfo.username} {.status.userInfo.groups}'
      kubectl --context=robot get configmaps -o name
      kubectl --context=robot get secrets
      kubectl --context=robot auth can-i list configmaps
      kubectl config set-credentials wrong --token=nonsense
      kubectl config set-context wrong --cluster=test --user=wrong
      kubectl --context=wrong get configmaps
      kubectl config set-credentials other --token=$(kubectl create token robot --audience=https://example.com)
      kubectl config set-context other --cluster=test --user=other
      kubectl --context=other get configmaps
      kubectl create token robot -o jsonpath='{.kind} {.spec.expirationSeconds} {.spec.audiences}'
    `,
  },
  {
    name: 'a certificate is asked for, approved and denied',
    script: `
      openssl req -new -newkey rsa:2048 -nodes -keyout key.pem -out csr.pem -subj /O=people/CN=jane 2> /dev/null
      for name in yes no; do echo '{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"'$NAMESPACE-$name'"},"spec":{"request":"'$(base64 -w0 csr.pem)'","signerName":"example.com/tests","usages":["client auth"]}}' | kubectl create -f -; done
      kubectl get csr
      kubectl certificate approve $NAMESPACE-yes
      kubectl certificate deny $NAMESPACE-no
      kubectl certificate deny $NAMESPACE-yes
      kubectl certificate approve $NAMESPACE-nothing
      kubectl get csr
      kubectl get csr $NAMESPACE-yes -o jsonpath='{.status} {.spec.username} {.spec.groups} {.spec.usages}'
      kubectl describe csr $NAMESPACE-yes
      kubectl delete csr $NAMESPACE-yes $NAMESPACE-no
    `,
  },
  {
    name: 'nodes are cordoned, drained and tainted',
    files: {
      'node.yaml': node('n12'),
      'pods.yaml': [bound('a', 'n12', { app: 'web' }), bound('b', 'n12', { app: 'db' })],
      'pdb.yaml': {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'db' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'db' } } },
      },
    },
    script: `
      kubectl create -f node.yaml
      kubectl get nodes
      kubectl get node n12 -o yaml
      kubectl get nodes -o wide --show-labels
      kubectl describe node n12
      kubectl taint node n12 key=value:NoSchedule
      kubectl taint node n12 key=value:NoSchedule
      kubectl taint node n12 key=other:NoSchedule --overwrite
      kubectl taint node n12 key-
      kubectl taint node n12 key-
      kubectl cordon n12
      kubectl cordon n12
      kubectl get nodes
      kubectl uncordon n12
      kubectl create -f pods.yaml -f pdb.yaml
      kubectl get pods --field-selector spec.nodeName=n12 -o name
      kubectl drain n12
      kubectl drain n12 --force --dry-run=server --grace-period=0 | sort
      kubectl drain n12 --force --pod-selector=app=web --grace-period=0 --timeout=20s
      kubectl get pods -o name
      kubectl drain n12 --force --timeout=2s --grace-period=0 2>&1 | sort -u
      kubectl drain n12 --force --disable-eviction --grace-period=0 --timeout=20s
      kubectl get pods -o name
      kubectl label node n12 role=worker
      kubectl get nodes -l role=worker -o name
      kubectl delete node n12
    `,
  },
  {
    name: 'commands that need more than an API say so',
    files: { 'p.yaml': pod('p') },
    script: `
      kubectl create -f p.yaml
      kubectl port-forward pod/p 1:1
      kubectl top pods
      kubectl debug p --image=busybox --container=debugger
      kubectl get pod p -o jsonpath='{.spec.ephemeralContainers}'
    `,
  },
]
