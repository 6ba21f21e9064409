"""Every message on the wire, typed; one module a layer."""
