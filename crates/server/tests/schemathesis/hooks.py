"""Keeps schemathesis, which uses arbitrary ids, from deleting or changing the key and the user it runs as."""

import os

import schemathesis

OWN_IDS = {
    "/api-keys/{id}": os.environ["TOOLGATE_OWN_KEY_ID"],
    "/users/{id}": os.environ["TOOLGATE_OWN_USER_ID"],
}
ABSENT_ID = 987654321


@schemathesis.hook
def before_call(context, case, kwargs):
    own_id = OWN_IDS.get(case.operation.path)
    if case.method.upper() != "GET" and own_id and str(case.path_parameters.get("id")) == own_id:
        case.path_parameters["id"] = ABSENT_ID
