// Whether the kernel gives us namespaces, asked by a child that ends at once: the only answer that counts, for what
// refuses them is spread over sysctls, security modules, filters and the namespaces around us.
#pragma once

namespace paddock {

// `kinds`: CLONE_NEW* flags of clone(2). 0, or the errno of the refusal. With CLONE_NEWUTS the child also sets its
// host name, which takes a capability in the new user namespace: AppArmor gives the namespace and takes those.
int try_namespaces(int kinds);

}  // namespace paddock
