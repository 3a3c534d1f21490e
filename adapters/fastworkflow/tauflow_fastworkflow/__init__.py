"""Serves FastWorkflow, the package as it is installed, as an agent over Tauflow's turn protocol."""
