import type { KubectlCase } from './kubectl-cases.ts'
import { deployment, pod } from './kubectl-objects.ts'

/** Making objects from words on the command line. */
export const createCases: readonly KubectlCase[] = [
  {
    // ed25519 and a given serial number: `describe` shows sizes, and those of other keys vary.
    name: 'configuration is made',
    files: { 'app.conf': 'a = 1\n', 'app.env': 'A=1\nB=2\n', 'bytes.bin': '\u0000\u0001' },
    script: `
      kubectl create namespace $NAMESPACE-more
      kubectl create namespace $NAMESPACE-more
      kubectl create configmap literal --from-literal=a=1 --from-literal=b='two words'
      kubectl create configmap file --from-file=app.conf --from-file=other=bytes.bin
      kubectl create configmap env --from-env-file=app.env
      kubectl create configmap literal
      kubectl create secret generic s --from-literal=user=me --from-file=app.conf --type=example.com/own
      kubectl create secret docker-registry reg --docker-server=r.example.com --docker-username=u --docker-password=p
      openssl req -x509 -newkey ed25519 -set_serial 1 -nodes -keyout tls.key -out tls.crt -subj /CN=tests -days 1 2> /dev/null
      kubectl create secret tls t --cert=tls.crt --key=tls.key
      kubectl create serviceaccount robot
      kubectl create quota q --hard=pods=3,configmaps=20
      kubectl create priorityclass $NAMESPACE --value=10 --description=tests
      kubectl get configmap,secret,serviceaccount,quota
      kubectl get configmap/literal configmap/file configmap/env secret/s secret/reg serviceaccount/robot quota/q -o yaml
      kubectl get secret t -o jsonpath='{.type} {.data.tls\\.crt}' | cut -c1-40
      kubectl describe secret s t
      kubectl describe quota
      kubectl delete priorityclass/$NAMESPACE namespace/$NAMESPACE-more --wait=false
    `,
  },
  {
    name: 'access is made',
    script: `
      kubectl create role reader --verb=get,list,watch --resource=configmaps,deployments.apps
      kubectl create role named --verb=update --resource=configmaps/status --resource-name=a
      kubectl create rolebinding reads --role=reader --serviceaccount=$NAMESPACE:default --user=jane --group=people
      kubectl create clusterrole $NAMESPACE --verb='*' --resource=gadgets.kubectl.example.com
      kubectl create clusterrole $NAMESPACE-url --verb=get --non-resource-url=/metrics
      kubectl create clusterrole $NAMESPACE-all --aggregation-rule=tests=$NAMESPACE
      kubectl create clusterrolebinding $NAMESPACE --clusterrole=$NAMESPACE --user=jane
      kubectl get role,rolebinding -o wide
      kubectl get role/reader role/named rolebinding/reads -o yaml
      kubectl get clusterrole/$NAMESPACE clusterrole/$NAMESPACE-url clusterrolebinding/$NAMESPACE -o yaml
      kubectl describe role reader
      kubectl describe rolebinding reads
      kubectl label clusterrole/$NAMESPACE tests=$NAMESPACE
      kubectl wait --for=jsonpath='{.rules[0].verbs[0]}' clusterrole/$NAMESPACE-all --timeout=30s
      kubectl get clusterrole/$NAMESPACE-all -o yaml
      kubectl set subject rolebinding/reads --user=john
      kubectl create rolebinding bad --role=reader --clusterrole=other
      kubectl delete clusterrole $NAMESPACE $NAMESPACE-url $NAMESPACE-all
      kubectl delete clusterrolebinding $NAMESPACE
    `,
  },
  {
    name: 'workloads are made, run and exposed',
    files: { 'all.yaml': [deployment('web'), pod('p')] },
    script: `
      kubectl create deployment made --image=registry.example.com/main:1 --replicas=2 --port=80
      kubectl create job once --image=registry.example.com/main:1 -- echo hello
      kubectl create cronjob often --image=registry.example.com/main:1 --schedule='*/5 * * * *'
      kubectl create job again --from=cronjob/often
      kubectl create cronjob bad --image=x --schedule='often'
      kubectl create ingress in --rule='example.com/path*=web:80' --class=some
      kubectl create poddisruptionbudget pdb --selector=app=web --min-available=1
      kubectl create service clusterip cip --tcp=80:8080
      kubectl create service nodeport np --tcp=80
      kubectl create service externalname en --external-name=example.com
      kubectl create service loadbalancer lb --tcp=443:8443
      kubectl run one --image=registry.example.com/main:1 --port=80 --env=A=1 --labels=app=one --overrides='{"spec":{"automountServiceAccountToken":false}}'
      kubectl run one --image=registry.example.com/main:1
      kubectl run Bad --image=registry.example.com/main:1
      kubectl apply -f all.yaml
      kubectl expose deployment web --port=80 --target-port=8080
      kubectl expose pod p --port=80 --name=exposed --type=NodePort
      kubectl expose deployment web --port=80
      kubectl get all
      kubectl get ingress,pdb -o wide
      kubectl get deployment/made job/once cronjob/often ingress/in pdb/pdb -o yaml
      kubectl get service/cip service/np service/en service/lb service/web -o yaml
      kubectl get pod/one -o yaml
      kubectl describe job once
      kubectl describe ingress in
      kubectl describe pdb pdb
      kubectl describe cronjob often
    `,
  },
]
