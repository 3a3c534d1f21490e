"""Serves the installed FastWorkflow package as an agent by Tauflow's turn protocol."""
