# The whole approval flow, as a person at a shell would play it: a quorum of two out of three, two votes, a rejection.
# Expects $NODE and $MAIN, and a server with its root credentials in root.json.
set -eu
countersign() { "$NODE" $MAIN "$@"; }
field() { "$NODE" -p "JSON.parse(fs.readFileSync('$1', 'utf8')).$2"; }
user() { # name, credentials file, curve
  countersign keygen --curve "$3" --credentials root.json --out "$2"
  cat <<JSON
{"userName":"$1","authenticators":[],"oauthProviders":[],"userTags":[],
 "apiKeys":[{"apiKeyName":"key","publicKey":"$(field "$2" apiPublicKey)","curveType":"$(field "$2" curveType)"}]}
JSON
}

echo "{\"users\":[$(user Grace grace.json secp256k1), $(user Alan alan.json ed25519)]}" |
  countersign request create_users - --credentials root.json > created.json
echo "created    $(field created.json activity.status)"
users=$(field created.json 'activity.result.createUsersResult.userIds.map(id => JSON.stringify(id)).join()')

countersign request submit/update_root_quorum \
  "{\"threshold\":2,\"userIds\":[\"$(field root.json userId)\",$users]}" --credentials root.json > quorum.json
echo "quorum     $(field quorum.json activity.status)"

countersign request /public/v1/submit/create_user_tag \
  '{"parameters":{"userTagName":"treasury","userIds":[]}}' --credentials root.json > asked.json
echo "asked      $(field asked.json activity.status)"
asked="{\"fingerprint\":\"$(field asked.json activity.fingerprint)\"}"

countersign request get_activity "{\"activityId\":\"$(field asked.json activity.id)\"}" --credentials grace.json > seen.json
echo "seen       $(field seen.json activity.status), can approve: $(field seen.json activity.canApprove)"

countersign request approve_activity "$asked" --credentials grace.json > approved.json
echo "approved   $(field approved.json activity.status)"

countersign request create_user_tag '{"userTagName":"risk","userIds":[]}' --credentials grace.json > second.json
countersign request reject_activity "{\"fingerprint\":\"$(field second.json activity.fingerprint)\"}" --credentials alan.json > no.json
countersign request reject_activity "{\"fingerprint\":\"$(field second.json activity.fingerprint)\"}" --credentials root.json > no.json
echo "rejected   $(field no.json activity.status)"

countersign request list_user_tags --credentials alan.json > tags.json
echo "tags       $(field tags.json 'userTags.map(tag => tag.tagName).join()')"
